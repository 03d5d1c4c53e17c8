import type { StationAddress } from '@roster/client';
import { useSession } from '../../api/session.ts';
import { Empty } from '../../components/empty.tsx';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { importHref } from '../../navigation/route.ts';

/** Shown for a station that does not exist. */
export function NoStation({ address }: { readonly address: StationAddress }) {
  const { station: words, nav } = useMessages();
  const session = useSession();
  const { subscription, resourceGroup, zone, name } = address;
  return (
    <main id="content" className="page">
      <Empty isPage title={words.noStation}>
        <p className="path">
          <Text value={[subscription, resourceGroup, zone, name].join(' / ')} />
        </p>
        <p className="actions">
          <Link className="button" href="/stations">
            {nav.stations}
          </Link>
          {session.may('create_stations') && (
            <Link className="button primary" href={importHref(address)}>
              {words.createByImport}
            </Link>
          )}
        </p>
      </Empty>
    </main>
  );
}
