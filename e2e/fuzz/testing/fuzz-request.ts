export interface FuzzRequest {
  readonly method: string;
  /** Every character stands for one byte, here and in headers and body. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

export function requestText({ method, target, headers, body }: FuzzRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  if (body !== undefined) lines.push(`Content-Length: ${body.length}\r\n`);
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n${body ?? ''}`;
}
