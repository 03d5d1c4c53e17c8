import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface ExternalLinkProps {
  /** From `webUrl`: it may come from elsewhere. */
  readonly href: string;
  readonly children: ReactNode;
}

/** A link that leaves the console, in a new tab that cannot reach back. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  return (
    <a className="external" href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon name="expand" />
    </a>
  );
}
