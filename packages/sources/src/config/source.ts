import type { RemovalAllowance, StationAddress } from '@roster/contract';

/** Where alerts and alerting rules come from. */
export interface Source {
  readonly name: string;
  readonly kind: 'prometheus' | 'alertmanager';
  /** The members of an Alertmanager cluster, else one. */
  readonly endpoints: readonly Endpoint[];
  readonly intervalMs: number;
  readonly bindings: readonly Binding[];
  /** Of a Prometheus that is asked for its targets too. */
  readonly discovery?: Discovery | undefined;
}

/** How to reach a server. */
export interface Endpoint {
  /** Without user name, query and slash at the end. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly auth: Auth | undefined;
  readonly tls: Tls | undefined;
  readonly allowLinkLocal: boolean;
}

/** Secrets are read when they are needed, so that they can be rotated. */
export type Secret = { readonly file: string } | { readonly env: string };

export type Auth = { readonly bearer: Secret } | { readonly username: string; readonly password: Secret };

/** Paths of PEM files. */
export interface Tls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Accepts any certificate. */
  readonly insecure: boolean;
}

/** A station that a source covers, and how labels become its resources. */
export interface Binding {
  readonly station: StationAddress;
  readonly tie: readonly TieRule[];
}

/** Which resources the targets of a Prometheus become. */
export interface Discovery {
  /** One of the stations of the source. */
  readonly station: StationAddress;
  /** Resource types by job. Where targets make the same resource, the first job decides. */
  readonly jobs: ReadonlyMap<string, string>;
  /** The label of a target that is the name of its resource. */
  readonly name: string;
  readonly stripPort: boolean;
  /** The label that is the display name; undefined leaves display names alone. */
  readonly displayName: string | undefined;
  /** Labels of targets, by the labels of resources that they become. */
  readonly labels: ReadonlyMap<string, string>;
  /** How long a target has to be missing before its resource is retired. */
  readonly graceMs: number;
  /** How many of the discovered resources may be missing when one is retired. */
  readonly allowRemoval: RemovalAllowance;
  /** How many resources it may make in all. */
  readonly maxResources: number;
}

/** Ties labels to the resource whose fields have the same values, in the same order. */
export interface TieRule {
  readonly labels: readonly string[];
  readonly to: readonly string[];
  readonly stripPort: boolean;
}

/** The prefix of a field that is a label of the resource. */
export const labelPrefix = 'label.';
