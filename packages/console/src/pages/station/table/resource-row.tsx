import type { RecordView } from '@roster/client';
import { memo } from 'react';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { Column } from './columns.tsx';

export const rowId = (index: number) => `row-${index}`;

interface ResourceRowProps {
  readonly index: number;
  readonly top: number;
  readonly columns: readonly Column[];
  /** Undefined while loading. */
  readonly resource: RecordView | undefined;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onChoose: (index: number, resourceId: string) => void;
}

export const ResourceRow = memo(function ResourceRow(props: ResourceRowProps) {
  const { index, top, columns, resource, isActive, isOpen, onChoose } = props;
  const { language } = usePreferences();
  const choose = () => {
    // Selecting text must not open the row.
    const isMarking = getSelection()?.isCollapsed === false;
    if (resource !== undefined && !isMarking) onChoose(index, resource.resource_id);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it takes the keys.
    <div
      id={rowId(index)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      className={`table-row ${isActive ? 'active' : ''} ${isOpen ? 'open' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={choose}
    >
      {columns.map((column) => (
        <div key={column.id} role="gridcell" className={column.isNumber ? 'number' : undefined}>
          {resource === undefined ? <span className="skeleton" /> : column.cell(resource, language)}
        </div>
      ))}
    </div>
  );
});
