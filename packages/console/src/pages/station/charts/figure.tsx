import type { ReactNode } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { formatCount } from '../../../format/format.ts';
import { Link } from '../../../navigation/link.tsx';
import { useLocation } from '../../../navigation/location.ts';
import { usePreferences } from '../../../preferences/preferences.ts';

interface FigureProps {
  /** The list of what was counted. */
  readonly href: string;
  readonly count: number;
  readonly tone?: string;
  readonly title?: string;
  /** Shown after the count. */
  readonly share?: string;
  /** Whether it is what to see first. */
  readonly isAlarm?: boolean;
  readonly children: ReactNode;
}

/** A line of a legend that leads to what it counts. Nothing leads to nothing. */
export function Figure({ href, count, tone, title, share, isAlarm = false, children }: FigureProps) {
  const { language } = usePreferences();
  const { pathname, search } = useLocation();
  const line = (
    <>
      <span className={count === 0 ? 'figure-name' : 'figure-name link-text'}>
        {isAlarm ? (
          <Icon name="alert" />
        ) : (
          tone !== undefined && <span className={`swatch fill-${tone}`} aria-hidden="true" />
        )}
        {children}
      </span>{' '}
      <span className="numeric">
        {formatCount(count, language)} {share !== undefined && <span className="quiet">{share}</span>}
      </span>
    </>
  );
  const isCurrent = href === pathname + search;
  return (
    <li title={title}>
      {count === 0 ? (
        <span className="figure">{line}</span>
      ) : (
        <Link
          className={isAlarm ? 'figure alarm' : 'figure'}
          href={href}
          aria-current={isCurrent ? 'true' : undefined}
        >
          {line}
        </Link>
      )}
    </li>
  );
}
