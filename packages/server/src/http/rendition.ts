import { formatRevision, revisionHeader } from '@roster/contract';
import { type HeadOverrides, headOverrides, type Labels, type Snapshot } from '@roster/engine';
import { headerLines, type RawHeaders } from './header-lines.ts';

/** What all answers from one snapshot in one language have in common. */
export interface Rendition {
  readonly etag: string;
  readonly headers: RawHeaders;
  readonly headerLines: string;
  readonly locale: string;
  readonly overrides: HeadOverrides | undefined;
  readonly labelsRevision: number;
}

const renditions = new WeakMap<Snapshot, Rendition[]>();

export function renditionOf(snapshot: Snapshot, labels: Labels, locale: string): Rendition {
  const known = renditions.get(snapshot);
  const found = known?.find((each) => each.locale === locale && each.labelsRevision === labels.revision);
  if (found !== undefined) return found;
  const revision = formatRevision(snapshot.head);
  const etag = `"${revision}-${snapshot.head.revId.slice(0, 8)}-${labels.revision}-${locale}"`;
  const headers = [
    'ETag',
    etag,
    revisionHeader,
    revision,
    'Content-Language',
    locale,
    'Vary',
    `Accept-Language, ${revisionHeader}`,
  ];
  const rendition = {
    etag,
    headers,
    headerLines: headerLines(headers),
    locale,
    overrides: headOverrides(snapshot, labels, locale),
    labelsRevision: labels.revision,
  };
  const current = known?.filter((each) => each.labelsRevision === labels.revision) ?? [];
  renditions.set(snapshot, [...current, rendition]);
  return rendition;
}

/** Whether an If-None-Match header names the ETag; a weak comparison, as the specification asks for. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
