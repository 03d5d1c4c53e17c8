import type { StationAddress } from '@roster/client';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { MenuButton, MoreButton } from '../../components/menu-button.tsx';
import { StationCrumbs } from '../../components/station-crumbs.tsx';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';
import { changesHref } from '../../navigation/changes-search.ts';
import { Link } from '../../navigation/link.tsx';
import { navigate } from '../../navigation/location.ts';
import { importHref } from '../../navigation/route.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { useCopyChoices } from '../list/copy/copy-menu.tsx';
import type { ListView } from '../list/use-list-view.ts';
import { isTrendRange } from './trends/trend-ranges.ts';
import { useDownload } from './use-download.ts';

interface StationHeaderProps {
  readonly address: StationAddress;
  readonly view: ListView;
  readonly revision: string | undefined;
}

export function StationHeader({ address, view, revision }: StationHeaderProps) {
  const { station: words, past } = useMessages();
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
        <FileActions address={address} view={view} revision={revision} />
      </div>
    </header>
  );
}

/** What takes the list out of the console, and files into the station. On a phone it is one menu. */
function FileActions({ address, view, revision }: StationHeaderProps) {
  const { station: words } = useMessages();
  const session = useSession();
  const copy = useCopyChoices(address, view);
  const download = useDownload({ address, filters: view.filters, revision });
  const mayImport = session.may('write_resources');
  const toImport = { id: 'import', label: words.importFile, onChoose: () => navigate(importHref(address)) };
  return (
    <>
      <span className="quiet numeric" role="status">
        {download.status ?? copy.copied}
      </span>
      <span className="actions wide-only">
        <MenuButton label={words.copy} icon="copy" choices={copy.choices} />
        <MenuButton label={words.download} icon="download" choices={download.choices} />
        {mayImport && (
          <Link className="button primary" href={importHref(address)}>
            <Icon name="upload" />
            <span>{words.import}</span>
          </Link>
        )}
      </span>
      <span className="narrow-only">
        <MoreButton
          label={words.more}
          sections={[
            ...(mayImport ? [{ label: words.import, choices: [toImport] }] : []),
            { label: words.copy, choices: copy.choices },
            { label: words.download, choices: download.choices },
          ]}
        />
      </span>
    </>
  );
}
