import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate } from './location.ts';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
}

/** A real link, for new tabs and copying, that navigates without reloading. */
export function Link({ href, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
    scrollTo(0, 0);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
