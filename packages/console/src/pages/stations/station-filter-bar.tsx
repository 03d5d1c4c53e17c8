import type { StationFilters } from '@roster/client';
import { Icon } from '../../components/icon.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { navigate } from '../../navigation/location.ts';
import { type stationParameters, stationsHref } from './station-filters.ts';

/** Search by name, and the filters chosen in the table. */
export function StationFilterBar({ filters }: { readonly filters: StationFilters }) {
  const { stations: words, filters: filterWords } = useMessages();
  const { namePrefix = '', ...chosen } = filters;
  const names = Object.keys(chosen) as Exclude<keyof typeof stationParameters, 'namePrefix'>[];
  return (
    <search className="filter-bar">
      <SearchField
        value={namePrefix}
        label={words.search}
        hint={words.searchHint}
        onChange={(next, how) => navigate(stationsHref({ ...filters, namePrefix: next }), how)}
      />
      {names.map((name) => (
        <span key={name} className="chip">
          <span className="quiet">{words[name]}</span>
          <Text value={filters[name] ?? ''} />
          <Link
            href={stationsHref({ ...filters, [name]: undefined })}
            aria-label={filterWords.remove(words[name])}
          >
            <Icon name="close" />
          </Link>
        </span>
      ))}
    </search>
  );
}
