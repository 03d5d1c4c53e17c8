import type { MouseEvent, ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Where pages put links that skip to their parts, before the navigation. */
export const skipLinks = 'skip-links';

interface SkipLinkProps {
  /** The id of what it skips to. */
  readonly to: string;
  readonly children: ReactNode;
}

/** Skips everything before a part of the page. It leaves no step in the history. */
export function SkipLink({ to, children }: SkipLinkProps) {
  const skip = (event: MouseEvent) => {
    const part = document.getElementById(to);
    if (part === null) return;
    event.preventDefault();
    if (part.tabIndex < 0) part.tabIndex = -1;
    part.focus();
  };
  return (
    <a className="skip-link" href={`#${to}`} onClick={skip}>
      {children}
    </a>
  );
}

/** A link of the page itself, among those of the frame. */
export function PageSkipLink(props: SkipLinkProps) {
  const place = document.getElementById(skipLinks);
  return place && createPortal(<SkipLink {...props} />, place);
}
