import type { Summary } from '@roster/client';
import { useState } from 'react';
import { Checkbox, CheckboxGroup } from 'react-aria-components';
import { Icon } from '../../../components/icon.tsx';
import { PopoverButton } from '../../../components/popover-button.tsx';
import { Text } from '../../../components/text.tsx';
import { formatCount } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';

interface TypesFilterProps {
  readonly types: Summary['types'];
  readonly selected: readonly string[];
  readonly onChange: (types: string[]) => void;
}

/** Selects types by label or key. */
export function TypesFilter({ types, selected, onChange }: TypesFilterProps) {
  const { filters: words } = useMessages();
  return (
    <PopoverButton label={words.types} badge={selected.length}>
      <TypeList types={types} selected={selected} onChange={onChange} />
    </PopoverButton>
  );
}

function TypeList({ types, selected, onChange }: TypesFilterProps) {
  const { filters: words } = useMessages();
  const { language } = usePreferences();
  const [wanted, setWanted] = useState('');
  const needle = wanted.toLowerCase();
  const isWanted = (text: string) => text.toLowerCase().includes(needle);
  const shown = types.filter(({ key, label }) => isWanted(key) || isWanted(label));
  const gone = selected.filter((key) => !types.some((type) => type.key === key));
  return (
    <>
      <label className="field search">
        <Icon name="search" />
        <input
          type="search"
          value={wanted}
          placeholder={words.findType}
          aria-label={words.findType}
          onChange={({ target }) => setWanted(target.value)}
        />
      </label>
      <CheckboxGroup
        className="check-list"
        aria-label={words.types}
        value={[...selected]}
        onChange={onChange}
      >
        {[...gone.map((key) => ({ key, label: key, total: 0 })), ...shown].map(({ key, label, total }) => (
          <Checkbox key={key} value={key} className="check">
            <span className="check-box">
              <Icon name="check" />
            </span>
            <span className="check-text">
              <Text value={label} />
              <Text value={key} className="quiet mono" />
            </span>
            <span className="quiet numeric">{formatCount(total, language)}</span>
          </Checkbox>
        ))}
      </CheckboxGroup>
      {shown.length === 0 && <p className="quiet">{words.noType}</p>}
      <button type="button" className="button" disabled={selected.length === 0} onClick={() => onChange([])}>
        {words.clear}
      </button>
    </>
  );
}
