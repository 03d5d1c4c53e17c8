import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  /** Whether the page has nothing else, so that this is its heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

/** Says why there is nothing to see, and what to do about it. */
export function Empty({ title, isPage = false, children }: EmptyProps) {
  return (
    <section className="empty">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </section>
  );
}
