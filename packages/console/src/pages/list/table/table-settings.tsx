import { Checkbox, CheckboxGroup } from 'react-aria-components';
import { Icon } from '../../../components/icon.tsx';
import { PopoverButton } from '../../../components/popover-button.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { setPreferences, usePreferences } from '../../../preferences/preferences.ts';
import { chooseColumns, isColumnShown } from './column-choice.ts';
import { columns, columnTitle } from './columns.tsx';

interface TableSettingsProps {
  /** Columns without any value. */
  readonly empty: ReadonlySet<string>;
  readonly isEverywhere: boolean;
}

/** Column choice and row height. The name column is always shown. */
export function TableSettings({ empty, isEverywhere }: TableSettingsProps) {
  const messages = useMessages();
  const { table: words } = messages;
  const preferences = usePreferences();
  const offered = columns.filter(({ id }) => id !== 'station' || isEverywhere);
  const shown = offered
    .map(({ id }) => id)
    .filter((id) => isColumnShown(id, preferences, { empty, isEverywhere }));
  const isCompact = preferences.density === 'compact';
  return (
    <div className="actions">
      <button
        type="button"
        className="button"
        aria-pressed={isCompact}
        aria-label={words.compact}
        title={words.compact}
        onClick={() => setPreferences({ density: isCompact ? 'comfortable' : 'compact' })}
      >
        <Icon name="rows" />
      </button>
      <PopoverButton label={words.columns} icon="columns" isBare>
        <CheckboxGroup
          className="check-list"
          aria-label={words.columns}
          value={shown}
          onChange={(next) => setPreferences(chooseColumns(preferences, shown, next))}
        >
          {offered.map((column) => (
            <Checkbox
              key={column.id}
              value={column.id}
              className="check"
              isDisabled={column.id === 'display_name'}
            >
              <span className="check-box">
                <Icon name="check" />
              </span>
              <span>{columnTitle(column, messages)}</span>
            </Checkbox>
          ))}
        </CheckboxGroup>
      </PopoverButton>
    </div>
  );
}
