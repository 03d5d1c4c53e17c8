import type { StationAddress } from '@roster/contract';
import { parseStationPath } from './parse-station-path.ts';

const maxRememberedPaths = 10_000;
/** Longer than any path of a station that can exist and is not spelled out in percent-escapes. */
const maxRememberedLength = 1200;

/** Which station a list path names. Paths that were asked before are not parsed again. */
export class StationPaths {
  readonly #addresses = new Map<string, StationAddress>();
  #lastPath = '';
  #lastAddress: StationAddress | undefined;

  /** The station of the first `length` characters of `url`; undefined when they are not a list path. */
  addressOf(url: string, length: number): StationAddress | undefined {
    if (length === this.#lastPath.length && url.startsWith(this.#lastPath)) return this.#lastAddress;
    const path = url.slice(0, length);
    const address = this.#addresses.get(path) ?? this.#parse(path);
    if (address === undefined) return undefined;
    this.#lastPath = path;
    this.#lastAddress = address;
    return address;
  }

  #parse(path: string): StationAddress | undefined {
    const address = parseStationPath(path);
    if (address === undefined) return undefined;
    if (path.length > maxRememberedLength) return address;
    if (this.#addresses.size >= maxRememberedPaths) this.#addresses.clear();
    this.#addresses.set(path, address);
    return address;
  }
}
