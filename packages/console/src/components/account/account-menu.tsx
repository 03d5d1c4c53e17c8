import { signOut, useSession } from '../../api/session.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { PopoverButton } from '../popover-button.tsx';
import { PrincipalFields } from './principal-fields.tsx';

/** The signed-in user and sign-out. Empty if authentication is off. */
export function AccountMenu() {
  const { access: words, nav } = useMessages();
  const { principal, needsToken } = useSession();
  if (!needsToken || principal === null) return null;
  return (
    <PopoverButton label={principal.name} icon="person" placement="bottom end" isQuiet>
      {(close) => (
        <div className="account">
          <PrincipalFields principal={principal} />
          <div className="actions">
            <Link className="button" href="/about" onClick={close}>
              {nav.about}
            </Link>
            <span className="spring" />
            <button type="button" className="button" onClick={() => void signOut()}>
              {words.signOut}
            </button>
          </div>
        </div>
      )}
    </PopoverButton>
  );
}
