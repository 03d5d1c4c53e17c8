import type { SearchFilters, StationClient } from '@roster/client';
import { Choice } from '../../../components/choice.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { selectedTypes, withTypes } from '../../../navigation/filter-search.ts';
import { TableSettings } from '../table/table-settings.tsx';
import { IdsFilter } from './ids-filter.tsx';
import { TypesFilter } from './types-filter.tsx';
import { useFacets } from './use-facets.ts';

interface FilterBarProps {
  readonly station: StationClient;
  readonly filters: SearchFilters;
  readonly hasLabels: boolean;
  readonly onFilter: (filters: SearchFilters, how?: 'replace') => void;
}

/** The filters with a control of their own, with the choices that the station has. */
export function FilterBar({ station, filters, hasLabels, onFilter }: FilterBarProps) {
  const { filters: words } = useMessages();
  const facets = useFacets(station);
  const products = [...new Set([...facets.products.map(({ product }) => product), filters.product ?? ''])];
  const { product: _, ...withoutProduct } = filters;
  return (
    <search className="filter-bar">
      <SearchField
        label={words.names.text}
        hint={words.textHint}
        value={filters.text ?? ''}
        onChange={(text, how) => {
          const { text: __, ...rest } = filters;
          onFilter(text === '' ? rest : { ...rest, text }, how);
        }}
      />
      <TypesFilter
        types={facets.types}
        selected={selectedTypes(filters) ?? []}
        onChange={(types) => onFilter(withTypes(filters, types))}
      />
      <Choice
        label={words.names.product}
        value={filters.product ?? ''}
        options={[
          ['', words.anyProduct],
          ...products
            .filter((each) => each !== '')
            .map((each) => [each, each.replace(/^product\./, '')] as const),
        ]}
        onChange={(product) => onFilter(product === '' ? withoutProduct : { ...filters, product })}
      />
      <label className="switch">
        <input
          type="checkbox"
          checked={filters.enabledAlert === true}
          onChange={({ target }) => {
            const { enabledAlert: __, ...rest } = filters;
            onFilter(target.checked ? { ...rest, enabledAlert: true } : rest);
          }}
        />
        <span>{words.names.enabled_alert}</span>
      </label>
      <IdsFilter
        ids={filters.resourceIds ?? []}
        onChange={(resourceIds) => {
          const { resourceIds: __, ...rest } = filters;
          onFilter(resourceIds.length === 0 ? rest : { ...rest, resourceIds });
        }}
      />
      <span className="spring" />
      <TableSettings hasLabels={hasLabels} />
    </search>
  );
}
