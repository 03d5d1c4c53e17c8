import { useMessages } from '../../messages/messages.ts';
import { Breakable } from '../text.tsx';

/** Scopes, one per line. */
export function ScopeList({ scopes }: { readonly scopes: readonly string[] }) {
  const { access: words } = useMessages();
  return (
    <ul className="scopes">
      {scopes.map((scope) => (
        <li key={scope}>
          <code>
            <Breakable value={scope} />
          </code>
          {scope === '**' && <span className="quiet"> {words.allStations}</span>}
        </li>
      ))}
    </ul>
  );
}
