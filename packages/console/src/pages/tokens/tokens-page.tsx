import type { CreatedToken, Token } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { useSession } from '../../api/session.ts';
import { Forbidden } from '../../components/account/forbidden.tsx';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { CreatedTokenDialog } from './created-token-dialog.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { TokenTable } from './token-table.tsx';

type Open =
  | { readonly dialog: 'new' }
  | { readonly dialog: 'created'; readonly token: CreatedToken }
  | { readonly dialog: 'revoke'; readonly token: Token };

/** The API tokens within the scopes of the admin. */
export function TokensPage() {
  const { tokens: words } = useMessages();
  const { language } = usePreferences();
  const client = useClient();
  const session = useSession();
  const isAllowed = session.may('manage_tokens');
  const [open, setOpen] = useState<Open>();
  const { data, error, refetch } = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => client.manage.tokens({ signal }),
    enabled: isAllowed,
  });
  usePageTitle(words.title);
  if (!session.needsToken) return <NotAsked />;
  if (!isAllowed) return <Forbidden />;
  const close = () => setOpen(undefined);
  return (
    <main id="content" className="page">
      <header className="page-head">
        <h1>
          {words.title} {data && <span className="quiet numeric">{formatCount(data.length, language)}</span>}
        </h1>
        <button type="button" className="button primary" onClick={() => setOpen({ dialog: 'new' })}>
          <Icon name="plus" />
          <span>{words.create}</span>
        </button>
      </header>
      {error && <ErrorNotice error={error} onRetry={refetch} hasData={data !== undefined} />}
      {data?.length === 0 ? (
        <Empty title={words.none}>
          <p>{words.noneHelp}</p>
        </Empty>
      ) : (
        <TokenTable tokens={data} onRevoke={(token) => setOpen({ dialog: 'revoke', token })} />
      )}
      {open?.dialog === 'new' && (
        <NewTokenDialog onCreated={(token) => setOpen({ dialog: 'created', token })} onClose={close} />
      )}
      {open?.dialog === 'created' && <CreatedTokenDialog token={open.token} onClose={close} />}
      {open?.dialog === 'revoke' && <RevokeDialog token={open.token} tokens={data ?? []} onClose={close} />}
    </main>
  );
}

function NotAsked() {
  const { tokens: words } = useMessages();
  return (
    <main id="content" className="page">
      <Empty isPage title={words.title}>
        <p>{words.notAsked}</p>
      </Empty>
    </main>
  );
}
