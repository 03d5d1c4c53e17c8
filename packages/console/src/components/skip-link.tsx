import { createPortal } from 'react-dom';
import { useMessages } from '../messages/messages.ts';

/** Where pages put links that skip to their parts, before the navigation. */
export const skipLinks = 'skip-links';

/** Skips everything before the table with the id `list`. */
export function SkipToList() {
  const { nav } = useMessages();
  const place = document.getElementById(skipLinks);
  const link = (
    <a className="skip-link" href="#list">
      {nav.skipToList}
    </a>
  );
  return place && createPortal(link, place);
}
