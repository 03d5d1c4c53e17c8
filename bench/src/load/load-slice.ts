/** One short burst of load against one server. */
export interface LoadSlice {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly target: LoadTarget;
}

/** What to request: one path repeatedly, or a file with one path per line, in rotation from `start`. */
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

/** Short, to make a passing slowdown of the machine affect neighbouring slices alike. */
export const sliceSeconds = 0.5;
