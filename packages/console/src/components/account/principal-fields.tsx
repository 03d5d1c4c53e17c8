import type { Principal } from '@roster/client';
import { useMessages } from '../../messages/messages.ts';
import { UtcTime } from '../utc-time.tsx';
import { ScopeList } from './scope-list.tsx';

/** Name, role and scopes of a principal. */
export function PrincipalFields({ principal }: { readonly principal: Principal }) {
  const { access: words } = useMessages();
  const { name, role, scopes, expires_at: expiresAt } = principal;
  return (
    <dl className="fields">
      <div>
        <dt>{words.signedInAs}</dt>
        <dd>
          <bdi>{name}</bdi>
        </dd>
      </div>
      <div>
        <dt>{words.role}</dt>
        <dd>{words.roles[role]}</dd>
      </div>
      <div>
        <dt>{words.scopes}</dt>
        <dd>
          <ScopeList scopes={scopes} />
        </dd>
      </div>
      <div>
        <dt>{words.expires}</dt>
        <dd className="numeric">{expiresAt === null ? words.never : <UtcTime time={expiresAt} />}</dd>
      </div>
    </dl>
  );
}
