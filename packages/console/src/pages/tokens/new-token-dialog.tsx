import type { CreatedToken, Role } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { rolesUpTo } from '../../api/permissions.ts';
import { useSession } from '../../api/session.ts';
import { DialogFrame } from '../../components/dialog-frame.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { useMessages } from '../../messages/messages.ts';
import { type Life, livesFor } from './token-life.ts';

interface NewTokenDialogProps {
  readonly onCreated: (token: CreatedToken) => void;
  readonly onClose: () => void;
}

/** Form for a new token. The server checks that it does not exceed the rights of its creator. */
export function NewTokenDialog({ onCreated, onClose }: NewTokenDialogProps) {
  const { tokens: words, access, common } = useMessages();
  const { principal } = useSession();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('reader');
  const [scopes, setScopes] = useState(() => (principal?.scopes ?? ['**']).join('\n'));
  const [lives] = useState(() => livesFor(principal, Date.now()));
  const [life, setLife] = useState<Life>(lives.includes('90d') ? '90d' : 'own');
  const create = useCreateToken(onCreated);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lines = scopes.split('\n').map((line) => line.trim());
    create.mutate({
      name: name.trim(),
      role,
      scopes: lines.filter((line) => line !== ''),
      ...(life === 'own' ? {} : { expires_in: life === 'never' ? null : life }),
    });
  };
  return (
    <DialogFrame title={words.create} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label>
          <span>{words.nameLabel}</span>
          <input
            required
            maxLength={200}
            placeholder={words.nameHint}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <fieldset className="modes roles">
          <legend>{access.role}</legend>
          {rolesUpTo(principal?.role ?? 'admin').map((each) => (
            <label key={each} className={each === role ? 'mode chosen' : 'mode'}>
              <input type="radio" name="role" checked={each === role} onChange={() => setRole(each)} />
              <span>
                <span className="strong">{access.roles[each]}</span>
                <span className="quiet">{words.roleHelp[each]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <label>
          <span>{words.scopesLabel}</span>
          <textarea
            className="mono"
            rows={3}
            required
            spellCheck={false}
            value={scopes}
            onChange={({ target }) => setScopes(target.value)}
          />
        </label>
        <p className="quiet hint">
          {words.scopesHelp} <code>subscriptions/acme/**</code>
        </p>
        <label>
          <span>{words.expires}</span>
          <select
            className="choice wide"
            value={life}
            onChange={({ target }) => setLife(target.value as Life)}
          >
            {lives.map((each) => (
              <option key={each} value={each}>
                {words.lives[each]}
              </option>
            ))}
          </select>
        </label>
        {create.error && <ErrorNotice error={create.error} />}
        <div className="actions">
          <span className="spring" />
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" className="button primary" disabled={create.isPending}>
            {words.make}
          </button>
        </div>
      </form>
    </DialogFrame>
  );
}

function useCreateToken(onCreated: (token: CreatedToken) => void) {
  const { manage } = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (token: Parameters<typeof manage.createToken>[0]) => manage.createToken(token),
    // Mutation results are cached for a while, but this one is a secret.
    gcTime: 0,
    onSuccess: (token) => {
      onCreated(token);
      return queries.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
}
