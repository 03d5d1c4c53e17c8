import { signOut, useSession } from '../../api/session.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { Empty } from '../empty.tsx';
import { Text } from '../text.tsx';

/** Shown instead of a page without access, with the current user. */
export function Forbidden() {
  const { access: words, nav } = useMessages();
  const { principal } = useSession();
  return (
    <main id="content" className="page">
      <Empty isPage title={words.forbidden}>
        {principal && (
          <p>
            {words.youAre} <Text value={principal.name} className="strong" /> ({words.roles[principal.role]}){' '}
            <code>{principal.scopes.join(', ')}</code>
          </p>
        )}
        <p className="actions">
          <Link className="button" href="/stations">
            {nav.stations}
          </Link>
          {principal?.kind !== 'anonymous' && (
            <button type="button" className="button" onClick={() => void signOut()}>
              {words.asSomeoneElse}
            </button>
          )}
        </p>
      </Empty>
    </main>
  );
}
