import type { StationAddress } from '@roster/client';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { StationCrumbs } from '../../components/station-crumbs.tsx';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';
import { changesHref } from '../../navigation/changes-search.ts';
import { Link } from '../../navigation/link.tsx';
import { importHref } from '../../navigation/route.ts';
import type { View } from '../../navigation/view-search.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { CopyMenu } from '../list/copy/copy-menu.tsx';
import { DownloadMenu } from './download-menu.tsx';

interface StationHeaderProps {
  readonly address: StationAddress;
  readonly view: View;
  readonly revision: string | undefined;
}

export function StationHeader({ address, view, revision }: StationHeaderProps) {
  const { station: words, past } = useMessages();
  const session = useSession();
  return (
    <header className="page-head">
      <div className="page-title">
        <StationCrumbs address={address} />
        <h1>
          <Text value={address.name} />
        </h1>
      </div>
      <div className="actions">
        <Link className="button" href={changesHref(address, { filters: view.filters })}>
          <Icon name="clock" />
          <span>{past.link}</span>
        </Link>
        <ViewsMenu address={address} view={view} />
        <CopyMenu address={address} view={view} />
        <DownloadMenu address={address} filters={view.filters} revision={revision} />
        {session.may('write_resources') && (
          <Link className="button primary" href={importHref(address)}>
            <Icon name="upload" />
            <span>{words.import}</span>
          </Link>
        )}
      </div>
    </header>
  );
}
