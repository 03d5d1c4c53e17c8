import type { StationAddress } from '@roster/client';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { StationCrumbs } from '../../components/station-crumbs.tsx';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';
import { changesHref } from '../../navigation/changes-search.ts';
import { Link } from '../../navigation/link.tsx';
import { navigate } from '../../navigation/location.ts';
import { importHref } from '../../navigation/route.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { CopyMenu } from '../list/copy/copy-menu.tsx';
import type { ListView } from '../list/use-list-view.ts';
import { DownloadMenu } from './download-menu.tsx';
import { isTrendRange } from './trends/trend-ranges.ts';

interface StationHeaderProps {
  readonly address: StationAddress;
  readonly view: ListView;
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
        <button
          type="button"
          className="button trend-button"
          aria-expanded={isTrendRange(view.trends)}
          onClick={() => navigate(view.hrefWith({ trends: isTrendRange(view.trends) ? undefined : '24h' }))}
        >
          <Icon name="trend" />
          <span className="label">{words.trends}</span>
        </button>
        <ViewsMenu address={address} view={{ ...view, filters: view.given }} />
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
