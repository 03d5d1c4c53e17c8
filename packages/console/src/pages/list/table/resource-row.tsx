import { type MouseEvent, memo } from 'react';
import { useMessages } from '../../../messages/messages.ts';
import { Link } from '../../../navigation/link.tsx';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { Turn } from '../live/view-changes.ts';
import type { Column, Row } from './columns.tsx';

export const rowId = (index: number) => `row-${index}`;

interface ResourceRowProps {
  readonly index: number;
  readonly top: number;
  readonly columns: readonly Column[];
  /** Undefined while loading. */
  readonly resource: Row | undefined;
  readonly href: string | undefined;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  /** In a list of all stations: whether every source of its own answers. */
  readonly isCurrent: boolean;
  /** What has just become of it. */
  readonly turn: Turn | undefined;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (href: string) => void;
}

/** Its name is a real link, for new tabs and copying; the rest of the row can be clicked too. */
export const ResourceRow = memo(function ResourceRow(props: ResourceRowProps) {
  const { index, top, columns, resource, href, isActive, isOpen, isCurrent, turn, onPoint, onChoose } = props;
  const { table: words } = useMessages();
  const { language } = usePreferences();
  const choose = (event: MouseEvent) => {
    // Selecting text must not open the row, and a click on a link already has.
    const isMarking = getSelection()?.isCollapsed === false;
    const isLink = event.target instanceof Element && event.target.closest('a') !== null;
    if (href !== undefined && !isMarking && !isLink) onChoose(href);
  };
  const classes = ['table-row', isActive && 'active', isOpen && 'open', turn && `turned ${turn}`];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it takes the keys.
    <div
      id={rowId(index)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      data-states={isCurrent ? 'current' : undefined}
      className={classes.filter(Boolean).join(' ')}
      style={{ transform: `translateY(${top}px)` }}
      onPointerDown={() => onPoint(index)}
      onClick={choose}
    >
      {columns.map((column, at) => (
        <div key={column.id} role="gridcell" className={column.isNumber ? 'number' : undefined}>
          {resource === undefined || href === undefined ? (
            <span className="skeleton" />
          ) : at === 0 ? (
            <Link href={href} tabIndex={-1} className="row-link">
              {column.cell(resource, language)}
              {turn && <span className="visually-hidden"> {words.turned[turn]}</span>}
            </Link>
          ) : (
            column.cell(resource, language)
          )}
        </div>
      ))}
    </div>
  );
});
