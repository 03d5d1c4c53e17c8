import {
  nearestName,
  parsePutView,
  parseVersionCondition,
  parseViewsQuery,
  quote,
  RosterError,
  stationNotFound,
  stationPath,
  type ViewSearch,
  type WireTypes,
} from '@roster/contract';
import { requireViewCondition, type StoredView, sharedOwner, viewVersion } from '@roster/engine';
import { authorise, coversStation } from '../../access/authorise.ts';
import type { Answer, Handlers } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { matchesEtag } from '../../http/headers.ts';
import { nameWithId, type Principal } from '../../http/principal.ts';
import { readJson } from '../../http/read-json.ts';
import type { OperationOptions } from '../operation-options.ts';
import { didYouMean } from '../snapshot/find-hints.ts';
import { revalidated } from '../snapshot/localised-snapshot.ts';
import { runView, type Searches } from './run-view.ts';
import { viewOwner } from './view-owner.ts';
import { coversNames } from './view-scope.ts';

type ViewOperation =
  | 'listViews'
  | `${'get' | 'put' | 'delete' | 'run'}View`
  | `${'get' | 'put' | 'delete' | 'run'}SharedView`;

export function viewOperations(options: OperationOptions, searches: Searches): Pick<Handlers, ViewOperation> {
  const views = new Views(options, searches);
  type Work = (owner: string, exchange: Exchange) => Promise<Answer | undefined>;
  const own = (work: Work) => (exchange: Exchange) => work(viewOwner(exchange.principal!), exchange);
  const shared = (work: Work) => (exchange: Exchange) => work(sharedOwner, exchange);
  return {
    listViews: (exchange) => views.list(exchange),
    getView: own(views.get),
    putView: own(views.put),
    deleteView: own(views.remove),
    runView: own(views.run),
    getSharedView: shared(views.get),
    putSharedView: shared(views.put),
    deleteSharedView: shared(views.remove),
    runSharedView: shared(views.run),
  };
}

class Views {
  readonly #options: OperationOptions;
  readonly #searches: Searches;

  constructor(options: OperationOptions, searches: Searches) {
    this.#options = options;
    this.#searches = searches;
  }

  async list(exchange: Exchange): Promise<Answer> {
    const { shared, offset, size } = parseViewsQuery(exchange.search);
    const { slicer } = this.#options.heavyReads.begin(exchange);
    const visible = await this.#visible(exchange.principal!);
    await slicer.pause();
    const all = visible.filter((view) => shared === undefined || isShared(view) === shared);
    const views = all.slice(offset, offset + size).map(renderView);
    const body: WireTypes['SavedViewPage'] = { views, page: { offset, size, total: all.length } };
    return { body };
  }

  readonly get = async (owner: string, exchange: Exchange): Promise<Answer> => {
    const view = await this.#find(owner, exchange);
    const headers = { ETag: etagOf(view), 'Cache-Control': revalidated };
    const isUnchanged = matchesEtag(exchange.request.headers['if-none-match'], headers.ETag);
    return isUnchanged ? { status: 304, headers } : { headers, body: renderView(view) };
  };

  readonly put = async (owner: string, exchange: Exchange): Promise<Answer> => {
    const { store } = this.#options;
    const name = exchange.params.view_name!;
    const condition = parseVersionCondition(exchange.request.headers, 'view');
    const asked = parsePutView(name, await readJson(exchange));
    requireReadable(exchange, asked);
    if (asked.station && !(await store.head(asked.station))) throw stationNotFound(asked.station);
    const known = await store.views.get(owner, name);
    requireViewCondition(name, known, condition);
    if (known !== undefined && viewVersion(known) === viewVersion(asked)) return answerWith(known, 200);
    const changedBy = nameWithId(exchange.principal!);
    const view = { owner, name, ...asked, changedAtMs: Date.now(), changedBy };
    const isNew = await store.views.put(view, condition);
    return answerWith(view, isNew ? 201 : 200);
  };

  readonly remove = async (owner: string, exchange: Exchange): Promise<Answer> => {
    const condition = parseVersionCondition(exchange.request.headers, 'view');
    const wasThere = await this.#options.store.views.remove(owner, exchange.params.view_name!, condition);
    if (!wasThere) throw await this.#notFound(owner, exchange);
    return { status: 204 };
  };

  readonly run = async (owner: string, exchange: Exchange): Promise<Answer | undefined> =>
    runView(await this.#find(owner, exchange), exchange, this.#searches);

  async #find(owner: string, exchange: Exchange): Promise<StoredView> {
    const view = await this.#options.store.views.get(owner, exchange.params.view_name!);
    if (view === undefined) throw await this.#notFound(owner, exchange);
    requireReadable(exchange, view);
    return view;
  }

  /** The caller's own, then the shared ones, but none of a station that the caller may not read. */
  async #visible(principal: Principal): Promise<StoredView[]> {
    const views = await this.#options.store.views.list([viewOwner(principal), sharedOwner]);
    return views
      .filter((view) => isReadable(principal, view))
      .sort((a, b) => Number(isShared(a)) - Number(isShared(b)));
  }

  async #notFound(owner: string, { params, principal }: Exchange): Promise<RosterError> {
    const name = params.view_name!;
    const visible = await this.#visible(principal!);
    const other = visible.find((view) => view.name === name && view.owner !== owner);
    const isAsked = (view: StoredView) => view.owner === owner;
    const namesOf = (views: readonly StoredView[]) => views.map((view) => view.name);
    const nearestOther = nearestName(name, namesOf(visible.filter((view) => !isAsked(view))));
    const [what, otherWhat] =
      owner === sharedOwner ? ['shared view', 'view'] : ['view of yours', 'shared view'];
    let hint = other
      ? `; there is ${pathOf(other)}`
      : didYouMean(nearestName(name, namesOf(visible.filter(isAsked))));
    if (hint === '' && nearestOther) hint = `; did you mean the ${otherWhat} ${quote(nearestOther)}?`;
    return new RosterError('view_not_found', `there is no ${what} called ${quote(name)}${hint}`);
  }
}

/** A view tells no more of stations than they would themselves. Throws `forbidden`. */
function requireReadable(exchange: Exchange, view: ViewSearch): void {
  const principal = exchange.principal!;
  if (view.station !== undefined) {
    // Also for the audit.
    exchange.address = view.station;
    authorise({ role: 'reader', over: 'station' }, principal, view.station);
  } else if (!isReadable(principal, view)) {
    throw new RosterError('forbidden', 'this view refers to stations outside your scopes');
  }
}

function isReadable(principal: Principal, view: ViewSearch): boolean {
  return view.station === undefined ? coversNames(principal, view) : coversStation(principal, view.station);
}

function isShared({ owner }: StoredView): boolean {
  return owner === sharedOwner;
}

function pathOf(view: StoredView): string {
  return `/roster/v1/${isShared(view) ? 'shared-views' : 'views'}/${encodeURIComponent(view.name)}`;
}

function etagOf(view: StoredView): string {
  return `"${viewVersion(view)}"`;
}

function answerWith(view: StoredView, status: 200 | 201): Answer {
  return { status, headers: { ETag: etagOf(view) }, body: renderView(view) };
}

function renderView(view: StoredView): WireTypes['SavedView'] {
  const { name, station, query, changedAtMs, changedBy } = view;
  return {
    name,
    shared: isShared(view),
    station: station ? stationPath(station) : null,
    query,
    path: pathOf(view),
    version: viewVersion(view),
    changed_at: new Date(changedAtMs).toISOString(),
    changed_by: changedBy,
  };
}
