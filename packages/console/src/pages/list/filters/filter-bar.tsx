import type { ReactNode } from 'react';
import { Choice } from '../../../components/choice.tsx';
import { PopoverButton } from '../../../components/popover-button.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { useMessages } from '../../../messages/messages.ts';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import { useFacetName } from '../facets/use-facet-name.ts';
import { groupFields } from '../groups/group-fields.ts';
import { TableSettings } from '../table/table-settings.tsx';
import { IdsFilter } from './ids-filter.tsx';

interface FilterBarProps {
  readonly filters: ListFilters;
  /** The field that resources are grouped by. */
  readonly group: string | undefined;
  readonly isEverywhere: boolean;
  readonly labelKeys: readonly string[];
  readonly emptyColumns: ReadonlySet<string>;
  /** The facets, where there is no room for them beside the table. */
  readonly facets: ReactNode;
  readonly onFilter: (filters: ListFilters, how?: 'replace') => void;
  readonly onGroup: (field: string | undefined) => void;
}

/** The search field, and how the list is shown. */
export function FilterBar(props: FilterBarProps) {
  const { filters, group, isEverywhere, labelKeys, emptyColumns, facets, onFilter, onGroup } = props;
  const { filters: words, facets: facetWords, groups } = useMessages();
  const nameOf = useFacetName();
  const fields = groupFields(isEverywhere, labelKeys, group);
  return (
    <search className="filter-bar">
      <SearchField
        label={words.names.text}
        hint={words.textHint}
        value={filters.text ?? ''}
        onChange={(text, how) => {
          const { text: _, ...rest } = filters;
          onFilter(text === '' ? rest : { ...rest, text }, how);
        }}
      />
      <span className="narrow-facets">
        <PopoverButton label={facetWords.title} icon="filter">
          {facets}
        </PopoverButton>
      </span>
      <IdsFilter
        ids={filters.resourceIds ?? []}
        onChange={(resourceIds) => {
          const { resourceIds: _, ...rest } = filters;
          onFilter(resourceIds.length === 0 ? rest : { ...rest, resourceIds });
        }}
      />
      <span className="spring" />
      <Choice
        label={groups.label}
        value={group ?? ''}
        options={[['', groups.none], ...fields.map((field) => [field, groups.by(nameOf(field))] as const)]}
        onChange={(field) => onGroup(field === '' ? undefined : field)}
      />
      <TableSettings empty={emptyColumns} isEverywhere={isEverywhere} />
    </search>
  );
}
