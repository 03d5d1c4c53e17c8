import type { FacetCounts } from '@roster/client';
import { useId, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { Text } from '../../../components/text.tsx';
import { formatCount } from '../../../format/format.ts';
import { sortedStates } from '../../../format/state.ts';
import { useMessages } from '../../../messages/messages.ts';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import { Link } from '../../../navigation/link.tsx';
import { usePreferences } from '../../../preferences/preferences.ts';
import { selectedValues, toggled } from './facet-fields.ts';
import { useFacetName, useFacetValue } from './use-facet-name.ts';

const firstShown = 6;

interface FacetPanelProps {
  /** Undefined while loading. */
  readonly facets: Readonly<Record<string, FacetCounts>> | undefined;
  readonly filters: ListFilters;
  readonly hrefOf: (filters: ListFilters) => string;
}

/** What else there is, with counts; each leads to the list with it, or without it again. */
export function FacetPanel({ facets, filters, hrefOf }: FacetPanelProps) {
  const { facets: words } = useMessages();
  const shown = Object.entries(facets ?? {}).filter(([field, { values }]) => {
    const named = values.filter(({ value }) => value !== '');
    return named.length > 1 || selectedValues(filters, field).length > 0;
  });
  return (
    <nav className="facets" aria-label={words.title} aria-busy={facets === undefined}>
      {facets === undefined && (
        <>
          <span className="skeleton" />
          <span className="skeleton" />
          <span className="skeleton short" />
        </>
      )}
      {shown.map(([field, counts]) => (
        <Facet key={field} field={field} counts={counts} filters={filters} hrefOf={hrefOf} />
      ))}
    </nav>
  );
}

interface FacetProps extends Omit<FacetPanelProps, 'facets'> {
  readonly field: string;
  readonly counts: FacetCounts;
}

function Facet({ field, counts, filters, hrefOf }: FacetProps) {
  const { facets: words } = useMessages();
  const { language } = usePreferences();
  const nameOf = useFacetName();
  const [isOpen, setOpen] = useState(false);
  const heading = useId();
  const selected = selectedValues(filters, field);
  const named = counts.values.filter(({ value }) => value !== '');
  const gone = selected.filter((value) => !named.some((each) => each.value === value));
  const all = [...named, ...gone.map((value) => ({ value, count: 0 }))];
  const values = field === 'state' ? byUrgency(all) : all;
  const first = isOpen
    ? values
    : values.filter(({ value }, at) => at < firstShown || selected.includes(value));
  const hidden = values.length - first.length;
  return (
    <section className="facet" aria-labelledby={heading}>
      <h2 id={heading}>{nameOf(field)}</h2>
      <ul>
        {first.map(({ value, count }) => (
          <FacetValue
            key={value}
            field={field}
            value={value}
            count={count}
            isChosen={selected.includes(value)}
            href={hrefOf(toggled(filters, field, value))}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className="text-button" onClick={() => setOpen(true)}>
          {words.more(formatCount(hidden, language))}
        </button>
      )}
      {isOpen && counts.other_values > 0 && (
        <p className="quiet">{words.others(formatCount(counts.other_values, language))}</p>
      )}
    </section>
  );
}

/** What fires must not hide behind what is more frequent. */
function byUrgency(values: FacetCounts['values']): FacetCounts['values'] {
  const counts = Object.fromEntries(values.map(({ value, count }) => [value, count]));
  return sortedStates(counts).map(([value, count]) => ({ value, count }));
}

interface FacetValueProps {
  readonly field: string;
  readonly value: string;
  readonly count: number;
  readonly isChosen: boolean;
  readonly href: string;
}

function FacetValue({ field, value, count, isChosen, href }: FacetValueProps) {
  const { language } = usePreferences();
  const textOf = useFacetValue();
  const text = textOf(field, value);
  return (
    <li>
      <Link
        className="facet-value"
        href={href}
        aria-current={isChosen ? 'true' : undefined}
        title={text === value ? undefined : value}
      >
        <span className="check-box" aria-hidden="true">
          <Icon name="check" />
        </span>
        <Text value={text} /> <span className="numeric quiet">{formatCount(count, language)}</span>
      </Link>
    </li>
  );
}
