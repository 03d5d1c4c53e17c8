import { formatRevision, revisionHeader } from '@roster/contract';
import { type LabelOverrides, type Labels, labelOverrides, type Snapshot } from '@roster/engine';
import { type Headers, headerLines } from '../../http/headers.ts';

/** What all answers from one snapshot in one language have in common. */
export interface LocalisedSnapshot {
  readonly etag: string;
  readonly headers: Headers;
  readonly headerLines: string;
  readonly locale: string;
  readonly overrides: LabelOverrides | undefined;
  readonly labelsRevision: number;
}

/** For answers with an `ETag`: clients may keep one, and have to ask whether it is still good. */
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
