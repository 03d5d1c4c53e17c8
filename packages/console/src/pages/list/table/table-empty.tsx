import type { StationAddress } from '@roster/client';
import { useSession } from '../../../api/session.ts';
import { Empty } from '../../../components/empty.tsx';
import { formatCount } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { hintIn } from '../../../messages/server-sentences.ts';
import { useFilterName } from '../../../messages/use-filter-name.ts';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import { without } from '../../../navigation/filter-search.ts';
import { Link } from '../../../navigation/link.tsx';
import { importHref } from '../../../navigation/route.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { ListSource } from './list-source.ts';
import { useLooserFilters } from './use-looser-filters.ts';

interface TableEmptyProps {
  readonly source: ListSource;
  /** Undefined for all stations. */
  readonly address: StationAddress | undefined;
  readonly filters: ListFilters;
  /** What may have been meant. */
  readonly hints: readonly string[];
  /** Whether the server rejected the filters. */
  readonly hasError: boolean;
  readonly onFilter: (filters: ListFilters) => void;
}

/** Explains an empty table, and suggests filters to remove. */
export function TableEmpty(props: TableEmptyProps) {
  return (
    <div className="table-frame" id="list" tabIndex={-1}>
      <Reason {...props} />
    </div>
  );
}

function Reason({ source, address, filters, hints, hasError, onFilter }: TableEmptyProps) {
  const messages = useMessages();
  const words = messages.station;
  const { language } = usePreferences();
  const filterName = useFilterName();
  const session = useSession();
  const looser = useLooserFilters(source, filters, !hasError);
  if (hasError) return <Empty title={words.badFilter} />;
  if (Object.keys(filters).length === 0) {
    return (
      <Empty title={words.empty}>
        {address !== undefined && session.may('write_resources') && (
          <>
            <p>{words.emptyHelp}</p>
            <Link className="button primary" href={importHref(address)}>
              {words.import}
            </Link>
          </>
        )}
      </Empty>
    );
  }
  return (
    <Empty title={words.noMatch}>
      {hints.map((hint) => (
        <p key={hint} className="quiet">
          {hintIn(messages, hint)}
        </p>
      ))}
      <ul className="looser">
        {looser.map(({ parameter, total }) => (
          <li key={parameter}>
            <button type="button" className="button" onClick={() => onFilter(without(filters, parameter))}>
              {words.without(filterName(parameter), total, formatCount(total, language))}
            </button>
          </li>
        ))}
        <li>
          <button type="button" className="button" onClick={() => onFilter({})}>
            {words.clearFilters}
          </button>
        </li>
      </ul>
    </Empty>
  );
}
