import { useTypeLabel } from '../../../api/use-type-label.ts';
import { useStateName } from '../../../components/state-mark.tsx';
import { formatLocalAndUtc } from '../../../format/clock.ts';
import { formatCount } from '../../../format/format.ts';
import { fullState } from '../../../format/state.ts';
import { stationName } from '../../../format/station-name.ts';
import { type Messages, useMessages } from '../../../messages/messages.ts';
import { type FilterParameter, kindOf } from '../../../navigation/filter-parameters.ts';
import { splitItems } from '../../../navigation/filter-search.ts';
import { parseRelative } from '../../../navigation/relative-time.ts';
import { usePreferences } from '../../../preferences/preferences.ts';

/** Shows the value of a filter in the words of the console. */
export function useFilterValue(): (parameter: FilterParameter, text: string) => string {
  const { common, ages } = useMessages();
  const { language } = usePreferences();
  const typeLabel = useTypeLabel();
  const stateName = useStateName();
  const itemNames: Partial<Record<FilterParameter, (item: string) => string>> = {
    state: (state) => stateName(fullState(state)),
    resource_type: typeLabel,
    resource_types: typeLabel,
    station: stationName,
  };
  return (parameter, text) => {
    const kind = kindOf(parameter);
    if (kind === 'boolean' || kind === 'switch') return text === 'true' ? common.yes : common.no;
    if (timeParameters.includes(parameter)) return timeOf(text, ages, language);
    const items = kind === 'list' ? splitItems(text) : [text];
    return items.map((item) => itemNames[parameter]?.(item) ?? item).join(', ');
  };
}

const timeParameters: readonly FilterParameter[] = [
  'created_after',
  'created_before',
  'state_since_after',
  'state_since_before',
];
const unitNames = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const;

/** A text that is no time is shown as it is. */
function timeOf(text: string, ages: Messages['ages'], language: string): string {
  const relative = parseRelative(text);
  if (relative !== undefined) {
    return ages.ago(ages[unitNames[relative.unit]](formatCount(relative.count, language)));
  }
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : formatLocalAndUtc(new Date(ms).toISOString());
}
