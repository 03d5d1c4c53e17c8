import { useEffect } from 'react';
import { Empty } from '../../components/empty.tsx';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';

/** Closes a window opened only to sign in, if the browser allows it. */
export function SignedInPage() {
  const { access: words, nav } = useMessages();
  useEffect(() => {
    document.title = `${words.signedIn} · Roster`;
    close();
  }, [words]);
  return (
    <main id="content" className="page">
      <Empty isPage title={words.signedIn}>
        <p>{words.closeWindow}</p>
        <Link className="button" href="/">
          {nav.stations}
        </Link>
      </Empty>
    </main>
  );
}
