import { useQuery } from '@tanstack/react-query';
import { useConnection } from '../../api/connection.ts';
import { readServerVersion } from '../../api/server-facts.ts';
import { useSession } from '../../api/session.ts';
import { PrincipalFields } from '../../components/account/principal-fields.tsx';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { useMessages } from '../../messages/messages.ts';

/** Set by the build. */
declare const consoleVersion: string;

/** The server and its connection state. */
export function AboutPage() {
  const { about: words, access } = useMessages();
  const { principal, needsToken } = useSession();
  const { isReachable } = useConnection();
  const { data } = useQuery({ queryKey: ['server-version'], queryFn: readServerVersion, staleTime: 60_000 });
  usePageTitle(words.title);
  const facts = [
    [words.server, data],
    [words.console, consoleVersion],
    [words.address, location.origin],
    [words.connection, isReachable ? words.reachable : words.unreachable],
  ];
  return (
    <main id="content" className="page narrow">
      <header className="page-head">
        <h1>{words.title}</h1>
      </header>
      <p>{words.purpose}</p>
      <dl className="fields card">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="numeric">{value ?? <span className="skeleton short" />}</dd>
          </div>
        ))}
      </dl>
      <h2>{access.you}</h2>
      <div className="card">
        {needsToken && principal ? <PrincipalFields principal={principal} /> : <p>{access.notAsked}</p>}
      </div>
      <h2>{words.more}</h2>
      <ul className="links">
        <li>
          <a href="/docs">{words.reference}</a>
        </li>
        <li>
          <a href="/openapi.json">{words.openapi}</a>
        </li>
      </ul>
      <h2>{words.keys}</h2>
      <dl className="fields card">
        {words.shortcuts.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </main>
  );
}
