import type { Handlers } from '../http/answer.ts';
import { changeOperations } from './changes/changes.ts';
import type { OpenStreams } from './changes/open-streams.ts';
import { exportOperations } from './export/export.ts';
import { listOperations } from './list/list.ts';
import type { OperationOptions } from './operation-options.ts';
import { resourceOperations } from './resource/resource.ts';
import { Search, searchOperations } from './search/search.ts';
import { createSearchEverywhere, everywhereOperations } from './search/search-everywhere.ts';
import { serverOperations } from './server/server.ts';
import { oidcOperations } from './session/oidc-session.ts';
import { sessionOperations } from './session/session.ts';
import { sourceOperations } from './sources/sources.ts';
import { stationOperations } from './stations/stations.ts';
import { summaryOperations } from './summary/summary.ts';
import { tokenOperations } from './tokens/tokens.ts';
import { trendOperations } from './trends/trends.ts';
import { typeOperations } from './types/types.ts';
import { viewOperations } from './views/views.ts';
import { writeOperations } from './write/write.ts';

/** The handler of every operation. */
export function createHandlers(options: OperationOptions, streams: OpenStreams): Handlers {
  const search = new Search(options);
  const everywhere = createSearchEverywhere(options);
  return {
    ...listOperations(options),
    ...stationOperations(options),
    ...writeOperations(options),
    ...resourceOperations(options),
    ...changeOperations(options, streams),
    ...searchOperations(search),
    ...everywhereOperations(everywhere),
    ...viewOperations(options, { search, everywhere }),
    ...summaryOperations(options),
    ...trendOperations(options),
    ...exportOperations(options),
    ...sourceOperations(options),
    ...typeOperations(options),
    ...tokenOperations(options),
    ...sessionOperations(options),
    ...oidcOperations(options),
    ...serverOperations(options),
  };
}
