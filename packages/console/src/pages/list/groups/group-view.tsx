import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useConnection } from '../../../api/connection.ts';
import { ErrorNotice, Notice } from '../../../components/notice.tsx';
import { Text } from '../../../components/text.tsx';
import { formatCount } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { Link } from '../../../navigation/link.tsx';
import { usePreferences } from '../../../preferences/preferences.ts';
import { useFacetName, useFacetValue } from '../facets/use-facet-name.ts';
import type { ListSource } from '../table/list-source.ts';
import type { List } from '../table/use-list.ts';
import type { ListView } from '../use-list-view.ts';
import { GroupMap } from './group-map.tsx';
import { type CountedState, countedStates, type Group, groupFilters, groupQuery } from './group-query.ts';
import { RackMap } from './rack-map.tsx';

interface GroupViewProps {
  readonly source: ListSource;
  readonly view: ListView;
  readonly list: List;
  readonly field: string;
}

/** A list by the values of one field, as a picture and as a table. Every number leads to what it counts. */
export function GroupView({ source, view, list, field }: GroupViewProps) {
  const { groups: words, station: stationWords, stations, states, errors } = useMessages();
  const { isReachable } = useConnection();
  const names = { ...states, other: stations.other };
  const { language } = usePreferences();
  const nameOf = useFacetName();
  const textOf = useFacetValue();
  const { filters, hrefWith } = view;
  const { revision, version } = list;
  const { data, error, refetch } = useQuery({
    ...groupQuery(source, { filters, field, revision, version }),
    enabled: version !== '',
    placeholderData: keepPreviousData,
  });
  const hrefOf = (value: string, some?: readonly string[]) =>
    hrefWith({ filters: groupFilters(filters, field, value, some), group: undefined });
  const count = (value: number) => formatCount(value, language);
  if (data === undefined && !isReachable) return <Notice tone="error">{errors.unreachable}</Notice>;
  if (data === undefined && error) return <ErrorNotice error={error} onRetry={refetch} />;
  const groups = data?.groups.toSorted(
    (a, b) =>
      b.firing - a.firing ||
      b.pending - a.pending ||
      b.other - a.other ||
      b.suppressed - a.suppressed ||
      b.total - a.total,
  );
  const shown = countedStates.filter((state) => state !== 'other' || (data && data.states.other.length > 0));
  return (
    <div className="group-view" id="list" tabIndex={-1}>
      {error && <ErrorNotice error={error} onRetry={refetch} hasData />}
      {data && data.groups.length > 1 && field === 'label.rack' && (
        <RackMap groups={data.groups} hrefOf={(value) => hrefOf(value)} />
      )}
      {data && data.groups.length > 1 && field !== 'label.rack' && (
        <GroupMap
          groups={data.groups}
          nameOf={(value) => textOf(field, value)}
          hrefOf={(value) => hrefOf(value)}
        />
      )}
      <div className="scroll-x">
        <table className="plain-table" aria-busy={data === undefined}>
          <thead>
            <tr>
              <th>{nameOf(field)}</th>
              {shown.map((state) => (
                <th key={state} className="number">
                  {names[state]}
                </th>
              ))}
              <th className="number">{stationWords.resources}</th>
            </tr>
          </thead>
          <tbody>
            {groups?.map((group) => (
              <tr key={group.value}>
                <td>
                  <Link href={hrefOf(group.value)}>
                    <Text value={textOf(field, group.value)} />
                  </Link>
                </td>
                {shown.map((state) => (
                  <StateCell
                    key={state}
                    group={group}
                    state={state}
                    href={hrefOf(group.value, data?.states[state])}
                  />
                ))}
                <td className="number">
                  <Link className="figure-link quiet-link" href={hrefOf(group.value)}>
                    {count(group.total)}
                  </Link>
                </td>
              </tr>
            )) ?? (
              <tr>
                <td colSpan={shown.length + 2}>
                  <span className="skeleton" />
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {data && data.without > 0 && (
        <p className="quiet">{words.without(count(data.without), nameOf(field))}</p>
      )}
      {data && data.others > 0 && <p className="quiet">{words.others(count(data.others))}</p>}
    </div>
  );
}

interface StateCellProps {
  readonly group: Group;
  readonly state: CountedState;
  readonly href: string;
}

function StateCell({ group, state, href }: StateCellProps) {
  const { language } = usePreferences();
  const text = formatCount(group[state], language);
  if (group[state] === 0) return <td className="number quiet">{text}</td>;
  return (
    <td className="number">
      <Link className={`figure-link strong tone-${state}`} href={href}>
        {text}
      </Link>
    </td>
  );
}
