import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  /** Whether this is the heading of the page, which has no other content. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

/** Explains an empty view, and what to do about it. */
export function Empty({ title, isPage = false, children }: EmptyProps) {
  return (
    <section className="empty">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </section>
  );
}
