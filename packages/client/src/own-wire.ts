import type { ListedType, Page, Resource } from './wire.ts';

/** A resource with all that Roster keeps of it. */
export interface RecordView extends Resource {
  readonly product: string;
  readonly alertable: boolean;
}

export interface StoredResource extends RecordView {
  /** The revision that last changed it. */
  readonly revision: string;
  readonly changed_at: string;
}

/** A resource on its way in. What is left out keeps its stored value, or its default when new. */
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
  readonly station?: string;
}

/** One thing wrong with one record. */
export interface RecordFault {
  /** Line of the body, from 1; of records, which one. */
  readonly line: number;
  readonly column?: number;
  readonly field?: string;
  readonly reason: string;
}

interface WriteCounts {
  /** The revision that shows the write; of a plan, the one that it was made for. */
  readonly revision: string;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly new_types: readonly string[];
}

export interface WriteResult extends WriteCounts {}

export interface FieldDifference {
  readonly before: string | number | boolean;
  readonly after: string | number | boolean;
}

/** What happened, or would happen, to one resource. */
export interface ChangeView {
  readonly change: 'created' | 'updated' | 'removed';
  readonly resource_id: string;
  /** The resource after the change; of one that was removed, as it last was. */
  readonly resource: RecordView;
  /** The fields that differ, for an update. */
  readonly fields?: Readonly<Record<string, FieldDifference>>;
}

export interface PlannedChange extends ChangeView {
  readonly line?: number;
}

/** What a write would do. Send `revision` as `ifRevision` to do exactly that. */
export interface Plan extends WriteCounts {
  readonly dry_run: true;
  /** Why the write would be refused as it stands. */
  readonly refusal: { readonly code: string; readonly detail: string } | null;
  readonly total_changes: number;
  /** The first of them. */
  readonly changes: readonly PlannedChange[];
}

export interface PastChange extends ChangeView {
  readonly revision: string;
  readonly changed_at: string;
}

export interface HistoryPage {
  readonly changes: readonly PastChange[];
  /** Send it as `since` to read on. */
  readonly next: string;
  readonly has_more: boolean;
}

export interface Figures {
  readonly total: number;
  /** Those that can have alerts. */
  readonly alertable: number;
  /** Those of them that have alert rules. */
  readonly covered: number;
  /** Those of them that have none. */
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

export interface ResourceType extends ListedType {
  /** By language tag. */
  readonly labels: Readonly<Record<string, string>>;
  readonly product: string;
  readonly alertable: boolean;
  /** Another one after every change. */
  readonly version: string;
}

export interface PutType {
  /** As in the path, if at all. */
  readonly key?: string;
  /** As it was read, if at all; `labels` are what counts. */
  readonly label?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** As it was read, if at all; `ifVersion` is what counts. */
  readonly version?: string;
  /** The product of a new resource that comes without one. */
  readonly product?: string;
  /** Whether a new resource that does not say so can have alerts. */
  readonly alertable?: boolean;
}

/** What a caller may do, each including those before it. */
export type Role = 'reader' | 'writer' | 'admin';

/** An API token, never its text. */
export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly created_by: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

export interface NewToken {
  readonly name: string;
  readonly role: Role;
  /** Patterns over the addresses of stations; `**` is all of them. */
  readonly scopes: readonly string[];
  /** Such as `90d`; null for ever. Without it 90 days, or as long as its maker. */
  readonly expires_in?: string | null;
}

export interface CreatedToken extends Token {
  /** The token itself. It is shown this once. */
  readonly token: string;
}

/** Who is signed in, and how to sign in. */
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
