import { useEffect, useRef } from 'react';
import { signOut, useConsoleSession } from '../../api/session.ts';
import { SignInForm } from '../../components/account/sign-in-form.tsx';
import { DialogFrame } from '../../components/dialog-frame.tsx';
import { useMessages } from '../../messages/messages.ts';
import { signInBeside } from './oidc.ts';

/** Shown over the view after the session ended; the view is kept and resumes. */
export function SignInDialog() {
  const { access: words } = useMessages();
  const { facts } = useConsoleSession();
  const stopWaiting = useRef(() => {});
  useEffect(() => () => stopWaiting.current(), []);
  const oidc = facts?.sign_in.oidc;
  const begin = (path: string) => {
    stopWaiting.current();
    stopWaiting.current = signInBeside(path);
  };
  return (
    <DialogFrame title={words.ended}>
      <p>{words.endedHelp(facts?.principal?.name ?? '')}</p>
      <SignInForm>
        {oidc && (
          <button type="button" className="button primary large" onClick={() => begin(oidc.path)}>
            {words.continueWith(oidc.name)}
          </button>
        )}
      </SignInForm>
      <button type="button" className="button quiet-button large" onClick={() => void signOut()}>
        {words.leave}
      </button>
    </DialogFrame>
  );
}
