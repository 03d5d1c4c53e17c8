import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { signIn, useConsoleSession } from '../../api/session.ts';
import { useMessages } from '../../messages/messages.ts';
import { ErrorNotice } from '../notice.tsx';

interface SignInFormProps {
  /** Link to the identity provider, if there is one. */
  readonly children?: ReactNode;
}

/** Sends a token, and forgets it once the session has started. */
export function SignInForm({ children }: SignInFormProps) {
  const { access: words } = useMessages();
  const { facts } = useConsoleSession();
  const [token, setToken] = useState('');
  const attempt = useMutation({ mutationFn: signIn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate(token.trim());
  };
  const hasChoice = facts?.sign_in.oidc != null;
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      {hasChoice && <p className="divider">{words.or}</p>}
      <label>
        <span>{words.token}</span>
        <input
          className="mono"
          type="password"
          name="token"
          autoComplete="current-password"
          placeholder="roster_…"
          required
          // biome-ignore lint/a11y/noAutofocus: there is nothing else to do here.
          autoFocus={!hasChoice}
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
      </label>
      {attempt.error && <ErrorNotice error={attempt.error} isSignIn />}
      <button
        type="submit"
        className={hasChoice ? 'button large' : 'button primary large'}
        disabled={attempt.isPending}
      >
        {words.signIn}
      </button>
    </form>
  );
}
