import { useEffect, useState } from 'react';
import { useConsoleSession } from '../../api/session.ts';
import { Notice } from '../../components/notice.tsx';
import { SignInForm } from '../../components/sign-in-form.tsx';
import { useMessages } from '../../messages/messages.ts';
import { oidcHref, takeSignInFault } from './oidc.ts';

/** Stands at every address for those who are not signed in; the page of the address follows. */
export function SignInPage() {
  const { access: words } = useMessages();
  const { facts } = useConsoleSession();
  const [fault] = useState(takeSignInFault);
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
        {fault && <Notice tone="error">{words.faults[fault]}</Notice>}
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
