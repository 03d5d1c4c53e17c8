import type { StationFilters } from '@roster/client';
import { useSession } from '../../api/session.ts';
import { Empty } from '../../components/empty.tsx';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';

/** Explains how to create the first station, or offers to clear filters without matches. */
export function NoStations({ filters }: { readonly filters: StationFilters }) {
  const { stations: words, station } = useMessages();
  const session = useSession();
  if (Object.keys(filters).length > 0) {
    return (
      <Empty title={words.noMatch}>
        <Link className="button" href="/stations">
          {station.clearFilters}
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title={words.none}>
      {session.may('create_stations') ? (
        <>
          <p>{words.noneHelp}</p>
          <Link className="button primary" href="/import">
            {words.import}
          </Link>
          <p className="quiet">{words.orByCommand}</p>
          <pre className="code">{firstImport(location.origin, session.needsToken)}</pre>
        </>
      ) : (
        <p>{words.noneForYou}</p>
      )}
    </Empty>
  );
}

function firstImport(origin: string, needsToken: boolean): string {
  const api = `${origin}/roster/v1/subscriptions/my-team/resourceGroups/lab/zones/zone-1/telemetryStations/station-1`;
  const token = needsToken ? ' -H "Authorization: Bearer $ROSTER_TOKEN"' : '';
  return `API=${api}
curl${token} -X PUT "$API"
curl${token} -X POST "$API/resources" -H 'Content-Type: text/csv' --data-binary @inventory.csv`;
}
