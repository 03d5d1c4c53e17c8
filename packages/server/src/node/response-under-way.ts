import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const underWay = Symbol('the response that is being sent');

interface Connection extends Duplex {
  [underWay]?: ServerResponse;
}

export function setResponseUnderWay(connection: Connection, response: ServerResponse): void {
  connection[underWay] = response;
}

/** The response that is being made for a connection or sent on it. */
export function responseUnderWay({ [underWay]: response }: Connection): ServerResponse | undefined {
  return response?.closed ? undefined : response;
}
