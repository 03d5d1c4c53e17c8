import type { ResourceType } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { useSession } from '../../api/session.ts';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { navigate, useLocation } from '../../navigation/location.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { TypeDialog } from './type-dialog.tsx';
import { TypeTable } from './type-table.tsx';

/** Every resource type with its labels. */
export function TypesPage() {
  const { types: words } = useMessages();
  const { language } = usePreferences();
  const client = useClient();
  const session = useSession();
  const { searchParams } = useLocation();
  const wanted = searchParams.get('find') ?? '';
  const [edited, setEdited] = useState<ResourceType | 'new'>();
  const { data, error, refetch } = useQuery({
    queryKey: ['types', language],
    queryFn: ({ signal }) => client.manage.types({ signal }),
  });
  usePageTitle(words.title);
  const shown = data?.filter((type) => isWanted(type, wanted.toLowerCase()));
  return (
    <main id="content" className="page">
      <header className="page-head">
        <h1>
          {words.title} {data && <span className="quiet numeric">{formatCount(data.length, language)}</span>}
        </h1>
        {session.may('edit_types') && (
          <button type="button" className="button primary" onClick={() => setEdited('new')}>
            <Icon name="plus" />
            <span>{words.create}</span>
          </button>
        )}
      </header>
      <search className="filter-bar">
        <SearchField
          value={wanted}
          label={words.find}
          hint={words.find}
          onChange={(find, how) =>
            navigate(find === '' ? '/types' : `/types?${new URLSearchParams({ find })}`, how)
          }
        />
      </search>
      {error && <ErrorNotice error={error} onRetry={refetch} hasData={data !== undefined} />}
      {shown?.length === 0 ? (
        <Empty title={wanted === '' ? words.none : words.noMatch} />
      ) : (
        <TypeTable types={shown} onEdit={session.may('edit_types') ? setEdited : undefined} />
      )}
      {edited !== undefined && (
        <TypeDialog type={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </main>
  );
}

function isWanted({ key, product, labels }: ResourceType, wanted: string): boolean {
  return [key, product, ...Object.values(labels)].some((text) => text.toLowerCase().includes(wanted));
}
