import type { Token } from '@roster/client';
import { ScopeList } from '../../components/account/scope-list.tsx';
import { Text } from '../../components/text.tsx';
import { UtcTime } from '../../components/utc-time.tsx';
import { useMessages } from '../../messages/messages.ts';

interface TokenTableProps {
  /** Undefined while loading. */
  readonly tokens: readonly Token[] | undefined;
  readonly onRevoke: (token: Token) => void;
}

export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const { tokens: words, access } = useMessages();
  return (
    <div className="scroll-x">
      <table className="plain-table tokens" aria-busy={tokens === undefined}>
        <thead>
          <tr>
            <th>{words.name}</th>
            <th>{access.role}</th>
            <th>{access.scopes}</th>
            <th>{words.lastUsed}</th>
            <th>{access.expires}</th>
            <th>{words.created}</th>
            <th>
              <span className="visually-hidden">{words.revoke}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens?.map((token) => <TokenRow key={token.id} token={token} onRevoke={onRevoke} />) ?? (
            <tr>
              <td colSpan={7}>
                <span className="skeleton" />
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

interface TokenRowProps {
  readonly token: Token;
  readonly onRevoke: (token: Token) => void;
}

function TokenRow({ token, onRevoke }: TokenRowProps) {
  const { tokens: words, access } = useMessages();
  const { expires_at: expiresAt, last_used_at: lastUsedAt } = token;
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <tr>
      <td>
        <Text value={token.name} className="strong" />
        <br />
        <code className="quiet">{token.id}</code>
      </td>
      <td>{access.roles[token.role]}</td>
      <td>
        <ScopeList scopes={token.scopes} />
      </td>
      <td className="numeric">
        {lastUsedAt === null ? <span className="quiet">{words.unused}</span> : <UtcTime time={lastUsedAt} />}
      </td>
      <td className="numeric">
        {expiresAt === null ? <span className="quiet">{access.never}</span> : <UtcTime time={expiresAt} />}
        {hasExpired && <span className="expired">{words.expired}</span>}
      </td>
      <td className="numeric">
        <UtcTime time={token.created_at} />
        <br />
        <span className="quiet">
          <Text value={words.by(token.created_by)} />
        </span>
      </td>
      <td className="number">
        <button
          type="button"
          className="button danger"
          aria-label={`${words.revoke} ${token.name}`}
          onClick={() => onRevoke(token)}
        >
          {words.revoke}
        </button>
      </td>
    </tr>
  );
}
