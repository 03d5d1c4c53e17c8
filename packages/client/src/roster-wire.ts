import type { ListedType, Page, Resource } from './wire.ts';

/** A resource with the fields that only Roster keeps. */
export interface RecordView extends Resource {
  readonly product: string;
  readonly alertable: boolean;
  /** When it entered its state. */
  readonly state_since: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface StoredResource extends RecordView {
  /** The revision that last changed it. */
  readonly revision: string;
  readonly changed_at: string;
  /** Who made that revision; absent if unknown. */
  readonly changed_by?: string;
}

/** A resource to write. Absent fields keep their stored value, or get their default in a new resource. */
export interface ResourceRecord {
  readonly resource_type: string | { readonly key: string; readonly label?: string };
  readonly resource_id: string;
  readonly name: string;
  readonly display_name?: string;
  readonly create_time?: string;
  readonly sku?: string;
  readonly gpu_model?: string;
  readonly state?: string;
  readonly alert_rules_count?: number | string;
  readonly product?: string;
  readonly alertable?: boolean;
  /** Without it, a change of state happens now. */
  readonly state_since?: string;
  /** Replaces all labels of the resource. As text: `owner=search;rack=r12`. */
  readonly labels?: Readonly<Record<string, string>> | string;
  readonly station?: string;
}

/** Changes of a resource. Absent fields keep their value. */
export interface ResourcePatch extends Partial<ResourceRecord> {
  readonly resource_id: string;
}

/** An error in one record. */
export interface RecordError {
  /** Line of the body, or number of the record, from 1. */
  readonly line: number;
  readonly column?: number;
  readonly field?: string;
  readonly reason: string;
}

interface WriteCounts {
  /** The revision of the write; for a plan, the revision it is based on. */
  readonly revision: string;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly new_types: readonly string[];
  /** States that are new to the station and not of Prometheus or Alertmanager: perhaps a typo. */
  readonly new_states: readonly string[];
  /** Fields of the records that sources of the station own, so that they stay as they are. */
  readonly left_alone?: {
    readonly fields: readonly string[];
    readonly records: number;
    readonly sources: readonly string[];
  };
}

export interface WriteResult extends WriteCounts {}

/** Null where there is none, such as a label that is new. */
export interface FieldDifference {
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

/** A change, made or planned, to one resource. */
export interface ChangeView {
  readonly change: 'created' | 'updated' | 'removed';
  readonly resource_id: string;
  /** The resource after the change, or before its removal. */
  readonly resource: RecordView;
  /** With filters: whether the resource came to match them, ceased to, or went on. */
  readonly match?: 'entered' | 'left' | 'stayed';
  /** For an update: the fields that differ. */
  readonly fields?: Readonly<Record<string, FieldDifference>>;
}

export interface PlannedChange extends ChangeView {
  readonly line?: number;
}

/** What a write would do. Send `revision` as `ifRevision` to apply exactly this plan. */
export interface Plan extends WriteCounts {
  readonly dry_run: true;
  /** Why the write would be refused; null if it would not. */
  readonly refusal: { readonly code: string; readonly detail: string } | null;
  readonly total_changes: number;
  /** The first changes. */
  readonly changes: readonly PlannedChange[];
}

export interface PastChange extends ChangeView {
  readonly revision: string;
  readonly changed_at: string;
  /** Who made the revision; absent if unknown. */
  readonly changed_by?: string;
}

export interface HistoryPage {
  readonly changes: readonly PastChange[];
  /** Send it as `since` to continue. */
  readonly next: string;
  readonly has_more: boolean;
  readonly history_from: HistoryBeginning;
}

/** Where the history that is kept begins: changes up to this revision are forgotten. */
export interface HistoryBeginning {
  /** Its number is 0 when nothing is forgotten: the station was created then. */
  readonly revision: string;
  /** When that revision was made; null if unknown. */
  readonly time: string | null;
}

export interface FacetCounts {
  /** Most frequent first. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** How many more values there are. */
  readonly other_values: number;
}

export interface SearchPage {
  readonly resources: readonly RecordView[];
  readonly page: Page;
  /** By facet; null unless asked for. */
  readonly facets: Readonly<Record<string, FacetCounts>> | null;
  /** What may have been meant by filters that name what there is not; empty if there are none. */
  readonly hints: readonly string[];
}

/** A resource among those of all stations. */
export interface FoundResource extends RecordView {
  /** The station that it belongs to, in path form. */
  readonly station: string;
}

export interface EverywherePage extends Omit<SearchPage, 'resources'> {
  readonly resources: readonly FoundResource[];
}

export interface Figures {
  readonly total: number;
  /** Can have alerts. */
  readonly alertable: number;
  /** Alertable and with alert rules. */
  readonly covered: number;
  /** Alertable and without alert rules. */
  readonly uncovered: number;
  readonly states: Readonly<Record<string, number>>;
}

export interface Station {
  /** The address in path form. */
  readonly station: string;
  readonly subscription_name: string;
  readonly resource_group_name: string;
  readonly zone: string;
  readonly telemetry_station_name: string;
  readonly revision: string;
  readonly resources: Figures;
}

export interface StationPage {
  readonly stations: readonly Station[];
  readonly page: Page;
}

export interface Summary extends Figures {
  readonly types: readonly (ListedType & Figures)[];
  readonly products: readonly ({ readonly product: string } & Figures)[];
}

/** What a station had at the end of an hour or day, or has so far. The figures are null where nothing is known. */
export interface TrendPoint {
  /** When the hour or day began, in UTC. */
  readonly time: string;
  /** Of how many of its hours something is known. */
  readonly hours: number;
  readonly total: number | null;
  readonly alertable: number | null;
  readonly covered: number | null;
  readonly uncovered: number | null;
  readonly states: Readonly<Record<string, number>> | null;
  /** The most that were in each state at once. */
  readonly peaks: Readonly<Record<string, number>> | null;
}

export interface Trends {
  readonly step: 'hour' | 'day';
  /** One for each step, oldest first. */
  readonly points: readonly TrendPoint[];
}

export interface ResourceType extends ListedType {
  /** By language tag. */
  readonly labels: Readonly<Record<string, string>>;
  readonly product: string;
  readonly alertable: boolean;
  /** Differs after every change. */
  readonly version: string;
}

export interface PutType {
  /** If given, as in the path. */
  readonly key?: string;
  /** Ignored; set `labels` instead. */
  readonly label?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Ignored; use `ifVersion` instead. */
  readonly version?: string;
  /** Default product of new resources. */
  readonly product?: string;
  /** Whether new resources can have alerts by default. */
  readonly alertable?: boolean;
}

/** A saved search. */
export interface SavedView {
  readonly name: string;
  /** Whether everyone sees it, or only its owner. */
  readonly shared: boolean;
  /** The path of the station that is searched; null for all stations of the caller. */
  readonly station: string | null;
  /** The query string of the search. */
  readonly query: string;
  /** Where it is. Append `/resources` to run it. */
  readonly path: string;
  /** Differs after every change. */
  readonly version: string;
  readonly changed_at: string;
  readonly changed_by: string;
}

export interface SavedViewPage {
  readonly views: readonly SavedView[];
  readonly page: Page;
}

/** Where alerts and rules come from. */
export interface Source {
  readonly name: string;
  readonly kind: 'prometheus' | 'alertmanager';
  readonly urls: readonly string[];
  /** Paths of its stations within your scopes. */
  readonly stations: readonly string[];
  /** Those of its stations that do not exist. */
  readonly missing_stations: readonly string[];
  readonly interval_seconds: number;
  /** `no_station` if it answers, but one of its stations does not exist. */
  readonly health: 'up' | 'down' | 'no_station' | 'unknown';
  /** When it last answered: states are as of then. */
  readonly last_read: string | null;
  readonly down_since: string | null;
  readonly error: string | null;
  readonly warnings: readonly string[];
  readonly read_ms: number;
  readonly alerts: {
    readonly total: number;
    readonly tied: number;
    readonly unmatched: number;
    readonly ambiguous: number;
  };
  /** null for an Alertmanager. */
  readonly rules: {
    readonly total: number;
    readonly unresolved: number;
    readonly examples: readonly { readonly name: string; readonly reason: string }[];
  } | null;
  /** null if it discovers nothing, or if your scopes do not have all its stations. */
  readonly discovery: SourceDiscovery | null;
}

/** What becomes of the targets of a source. */
export interface SourceDiscovery {
  readonly targets: number;
  /** Resources that it discovered. */
  readonly resources: number;
  /** Resources that targets would make, but that others have brought in. */
  readonly taken: number;
  /** Targets of jobs without a resource type, and these jobs. */
  readonly unmapped: number;
  readonly unmapped_jobs: readonly { readonly job: string; readonly targets: number }[];
  /** Targets that cannot become a resource, and some of them. */
  readonly unusable: number;
  readonly examples: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly reason: string;
  }[];
  /** Resources that targets would make beyond what `max_resources` allows. */
  readonly surplus: number;
  /** Discovered resources without a target. */
  readonly missing: number;
  /** Why resources are not made, or why those whose grace is over are not retired. */
  readonly refusal: string | null;
  /** Why targets were not taken in when they were last asked for. */
  readonly error: string | null;
}

/** An alert that is tied to no resource. */
export interface UnmatchedAlert {
  readonly reason: 'unmatched' | 'ambiguous';
  readonly labels: Readonly<Record<string, string>>;
  /** Ids of resources that fit equally well. */
  readonly candidates: readonly string[];
}

/** An alert of a resource. */
export interface Alert {
  readonly fingerprint: string;
  readonly state: 'firing' | 'pending' | 'suppressed';
  readonly since: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Where to look at what raised it; only http and https. */
  readonly generator_url?: string;
  readonly silences: readonly {
    readonly id: string;
    readonly created_by: string;
    readonly comment: string;
    readonly until: string | null;
  }[];
  /** Fingerprints of the alerts that inhibit it. */
  readonly inhibited_by: readonly string[];
  readonly sources: readonly string[];
}

/** Of the first three each includes the previous one; `source` may only send alerts. */
export type Role = 'reader' | 'writer' | 'admin' | 'source';

/** An API token without its secret. */
export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly created_by: string;
  /** The token it was created with, or the nearest ancestor not revoked; else null. */
  readonly maker_id: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

export interface NewToken {
  readonly name: string;
  readonly role: Role;
  /** Patterns that match station addresses; `**` matches all. */
  readonly scopes: readonly string[];
  /** Such as `90d`; null for no expiry. Default: 90 days, or as long as the caller. */
  readonly expires_in?: string | null;
}

export interface CreatedToken extends Token {
  /** The token itself, shown only once. */
  readonly token: string;
}

export interface Revocation {
  readonly revoked: readonly string[];
  /** Tokens created with the revoked one, directly or not, that still work. */
  readonly still_valid: readonly string[];
}

/** The current principal, and the ways to sign in. */
export interface Session {
  readonly authentication: 'off' | 'required';
  readonly principal: Principal | null;
  readonly sign_in: {
    readonly token: boolean;
    readonly oidc: { readonly name: string; readonly path: string } | null;
  };
}

export interface Principal {
  readonly name: string;
  readonly kind: 'anonymous' | 'token' | 'oidc';
  readonly role: Role;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}
