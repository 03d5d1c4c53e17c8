import { formatRevision, parseRevision, revisionHeader } from '@roster/contract';
import { type Engine, type LabelOverrides, type Labels, labelOverrides, type Snapshot } from '@roster/engine';
import type { Exchange } from '../../http/exchange.ts';
import { type Headers, headerLines, joinHeaders } from '../../http/headers.ts';

/** What all answers from one snapshot in one language share. */
export interface LocalisedSnapshot {
  readonly etag: string;
  readonly headers: Headers;
  readonly headerLines: string;
  readonly locale: string;
  readonly overrides: LabelOverrides | undefined;
  readonly labelsRevision: number;
}

/** For answers with an `ETag`: clients may cache them, but must revalidate. */
export const revalidated = 'private, no-cache';

const known = new WeakMap<Snapshot, LocalisedSnapshot[]>();

export function localise(snapshot: Snapshot, labels: Labels, locale: string): LocalisedSnapshot {
  const current = (known.get(snapshot) ?? []).filter((each) => each.labelsRevision === labels.revision);
  const found = current.find((each) => each.locale === locale);
  if (found !== undefined) return found;
  const revision = formatRevision(snapshot.head);
  const etag = `"${revision}-${snapshot.head.revId.slice(0, 8)}-${labels.revision}-${locale}"`;
  const headers = {
    ETag: etag,
    [revisionHeader]: revision,
    'Content-Language': locale,
    Vary: `Accept-Language, ${revisionHeader}`,
    'Cache-Control': revalidated,
  };
  const localised = {
    etag,
    headers,
    headerLines: headerLines(headers),
    locale,
    overrides: labelOverrides(snapshot, labels, locale),
    labelsRevision: labels.revision,
  };
  known.set(snapshot, [...current, localised]);
  return localised;
}

/** The same for a view, which may change while the snapshot does not. */
export function localiseView(localised: LocalisedSnapshot, version: string): LocalisedSnapshot {
  const etag = `${localised.etag.slice(0, -1)}-${version}"`;
  const headers = { ...localised.headers, ETag: etag };
  return { ...localised, etag, headers, headerLines: joinHeaders(headers) };
}

/** Reads a station as the request asks: follows Roster-Revision and Accept-Language like the list. */
export async function readStation({ request, address, principal }: Exchange, engine: Engine) {
  const pin = request.headers['roster-revision'];
  const revision = pin === undefined ? undefined : parseRevision(String(pin));
  const snapshot = await engine.read(address!, revision, principal!.id);
  const labels = engine.knownLabels();
  const locale = labels.localeFor(request.headers['accept-language']);
  const labelOf = (typeKey: string) => labels.labelOf(typeKey, locale);
  return { snapshot, labelOf, localised: localise(snapshot, labels, locale) };
}
