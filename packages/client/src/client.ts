import { type ClientOptions, readClientOptions } from './client-options.ts';
import { Transport } from './http/transport.ts';
import { Management } from './manage/management.ts';
import { parseStationAddress, type StationAddress } from './station-address.ts';
import { StationClient } from './station-client.ts';

/** A server of the documented interface. `manage` is the roster API, which only Roster has. */
export class RosterClient {
  readonly manage: Management;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(readClientOptions(options));
    this.manage = new Management(this.#transport);
  }

  /** By its four names, or by path: `demo/sample/zone-1/station-1` or `subscriptions/demo/resourceGroups/…`. */
  station(address: StationAddress | string): StationClient {
    const parsed = typeof address === 'string' ? parseStationAddress(address) : address;
    return new StationClient(parsed, this.#transport);
  }
}

export function createClient(options: ClientOptions): RosterClient {
  return new RosterClient(options);
}
