import { useMessages } from '../../messages/messages.ts';
import type { Mode } from './use-import.ts';

interface ModeChoiceProps {
  readonly mode: Mode;
  readonly isDisabled: boolean;
  readonly onChange: (mode: Mode) => void;
}

export function ModeChoice({ mode, isDisabled, onChange }: ModeChoiceProps) {
  const { import: words } = useMessages();
  return (
    <fieldset className="modes" disabled={isDisabled}>
      <legend>{words.mode}</legend>
      {(['merge', 'replace'] as const).map((each) => (
        <label key={each} className={each === mode ? 'mode chosen' : 'mode'}>
          <input type="radio" name="mode" checked={each === mode} onChange={() => onChange(each)} />
          <span>
            <strong>{words.modes[each]}</strong>
            <span className="quiet">{words.modeHelp[each]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
