import { useEffect, useState } from 'react';
import { useConsoleSession } from '../../api/session.ts';
import { SignInForm } from '../../components/account/sign-in-form.tsx';
import { Notice } from '../../components/notice.tsx';
import { useMessages } from '../../messages/messages.ts';
import { oidcHref, takeSignInError } from './oidc.ts';

/** Shown at every URL until the user signs in; then the page of the URL follows. */
export function SignInPage() {
  const { access: words } = useMessages();
  const { facts } = useConsoleSession();
  const [error] = useState(takeSignInError);
  useEffect(() => {
    document.title = `${words.signIn} · Roster`;
  }, [words]);
  const oidc = facts?.sign_in.oidc;
  return (
    <main id="content" className="page sign-in">
      <div className="card stack">
        <header>
          <img src="/favicon.svg" alt="" width="36" height="36" />
          <h1>{words.title}</h1>
        </header>
        {error && <Notice tone="error">{words.signInErrors[error]}</Notice>}
        <SignInForm>
          {oidc && (
            <a className="button primary large" href={oidcHref(oidc.path)}>
              {words.continueWith(oidc.name)}
            </a>
          )}
        </SignInForm>
        <p className="quiet">{words.help}</p>
      </div>
    </main>
  );
}
