/** One short burst of load against one server. */
export interface LoadSlice {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly target: LoadTarget;
}

/** What to ask for: one path over and over, or a file with one path per line, in rotation from `start`. */
export type LoadTarget = { readonly path: string } | { readonly pathsFile: string; readonly start: number };

export interface SliceResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

export const loadToolNames = ['wrk', 'autocannon'] as const;
export type LoadToolName = (typeof loadToolNames)[number];

export interface LoadTool {
  readonly name: LoadToolName;
  run(slice: LoadSlice): Promise<SliceResult>;
}

export const loadConnections = 16;

/** Of a measured slice. What makes a machine slow or fast for a while shall reach its neighbours too. */
export const sliceSeconds = 0.5;
