import { useState } from 'react';
import { PopoverButton } from '../../../components/popover-button.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { splitItems } from '../../../navigation/filter-search.ts';

interface IdsFilterProps {
  readonly ids: readonly string[];
  readonly onChange: (ids: string[]) => void;
}

/** Filters by pasted ids. */
export function IdsFilter({ ids, onChange }: IdsFilterProps) {
  const { filters: words } = useMessages();
  return (
    <PopoverButton label={words.ids} badge={ids.length}>
      {(close) => (
        <IdsForm
          ids={ids}
          onChange={(next) => {
            onChange(next);
            close();
          }}
        />
      )}
    </PopoverButton>
  );
}

function IdsForm({ ids, onChange }: IdsFilterProps) {
  const { filters: words } = useMessages();
  const [text, setText] = useState(ids.join('\n'));
  return (
    <form
      className="ids-form"
      onSubmit={(event) => {
        event.preventDefault();
        onChange([...new Set(splitItems(text))]);
      }}
    >
      <label>
        <span>{words.idsHint}</span>
        <textarea
          className="mono"
          rows={6}
          value={text}
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <div className="actions">
        <button type="button" className="button" onClick={() => onChange([])}>
          {words.clear}
        </button>
        <button type="submit" className="button primary">
          {words.apply}
        </button>
      </div>
    </form>
  );
}
