import type { Labels } from './http/shape.ts';

/** Worst first. */
export const alertStates = ['firing', 'pending', 'suppressed'] as const;

export type AlertState = (typeof alertStates)[number];

/** An alert as a source tells it. */
export interface Alert {
  /** Made from its labels; the same in every answer of a source. */
  readonly fingerprint: string;
  readonly state: AlertState;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly sinceMs: number;
  /** Where people can look at what raised it; only http and https. */
  readonly generatorUrl?: string | undefined;
  readonly silences: readonly Silence[];
  /** Fingerprints of the alerts that inhibit it. */
  readonly inhibitedBy: readonly string[];
  /** Not told any more by an Alertmanager that may just not have been told itself. */
  readonly isKept?: boolean;
}

export interface Silence {
  readonly id: string;
  readonly createdBy: string;
  readonly comment: string;
  readonly untilMs: number | undefined;
}

/** The state of a resource, by the worst state of its alerts. */
export const resourceStates: Readonly<Record<AlertState | 'inactive', string>> = {
  firing: 'ALERTSTATE_FIRING',
  pending: 'ALERTSTATE_PENDING',
  suppressed: 'ALERTSTATE_SUPPRESSED',
  inactive: 'ALERTSTATE_INACTIVE',
};
