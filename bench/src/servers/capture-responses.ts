import http from 'node:http';

export interface CaptureRequest {
  /** The name of the set of responses. */
  readonly set: string;
  readonly origin: string;
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface CapturedResponse {
  readonly status: number;
  /** Names and values in turn, as they came over the wire, without those that `node:http` adds itself. */
  readonly headers: string[];
  readonly sendDate: boolean;
  readonly keepAliveMs: number | undefined;
  readonly body: Buffer;
}

const addedByRuntime = new Set(['date', 'connection', 'keep-alive']);
const connections = 8;

/** Requests every path and keeps the responses byte for byte. */
export async function captureResponses(request: CaptureRequest): Promise<CapturedResponse[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const captured: CapturedResponse[] = new Array(request.paths.length);
  let next = 0;
  const work = async () => {
    while (next < request.paths.length) {
      const index = next++;
      captured[index] = await captureOne(`${request.origin}${request.paths[index]}`, request.headers, agent);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return captured;
}

export async function captureOne(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: http.Agent,
): Promise<CapturedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.get(url, { agent, headers }, resolve).once('error', reject);
  const response = await promise;
  const body = Buffer.concat(await response.toArray());
  const keepAliveSeconds = /timeout=(\d+)/.exec(String(response.headers['keep-alive']))?.[1];
  return {
    status: response.statusCode!,
    headers: response.rawHeaders.filter(
      (_, index, all) => !addedByRuntime.has(all[index - (index % 2)]!.toLowerCase()),
    ),
    sendDate: response.headers.date !== undefined,
    keepAliveMs: keepAliveSeconds ? Number(keepAliveSeconds) * 1000 : undefined,
    body,
  };
}
