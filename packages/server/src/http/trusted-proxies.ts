import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

export interface Client {
  readonly address: string;
  /** The origin of the server as the client sees it, such as `https://roster.example.com`. */
  readonly origin: string;
}

export type ClientOf = (request: IncomingMessage) => Client;

const mapped = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const network = /^([^/]+)(?:\/(\d{1,3}))?$/;

/**
 * Finds the client behind trusted proxies, and ignores `X-Forwarded-*` of anyone else. Packages such as `proxy-addr`
 * accept `unknown` as a client, and trust `010.0.0.1` as 8.0.0.1.
 */
export class TrustedProxies {
  readonly #trusted: boolean | BlockList;

  constructor(trustProxy: boolean | readonly string[]) {
    this.#trusted = typeof trustProxy === 'boolean' ? trustProxy : blockListOf(trustProxy);
  }

  readonly isProxy = (address: string): boolean => {
    if (typeof this.#trusted === 'boolean') return this.#trusted;
    const version = isIP(address);
    return version !== 0 && this.#trusted.check(address, `ipv${version as 4 | 6}`);
  };

  readonly clientOf: ClientOf = ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? 'unknown';
    const scheme = (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
    if (!this.isProxy(peer)) return { address: plain(peer), origin: `${scheme}://${headers.host ?? ''}` };
    const protocol = itemsOf(headers['x-forwarded-proto'])[0]?.toLowerCase();
    const host = itemsOf(headers['x-forwarded-host'])[0] ?? headers.host ?? '';
    const isKnown = protocol === 'https' || protocol === 'http';
    return {
      address: plain(this.#nearestStranger(peer, itemsOf(headers['x-forwarded-for']))),
      origin: `${isKnown ? protocol : scheme}://${host}`,
    };
  };

  /** Each proxy appends the address it was called from, so only the end of the list can be trusted. */
  #nearestStranger(peer: string, forwarded: readonly string[]): string {
    let nearest = peer;
    for (const item of forwarded.toReversed()) {
      const address = withoutPort(item);
      if (isIP(address) === 0) break;
      nearest = address;
      if (!this.isProxy(address)) break;
    }
    return nearest;
  }
}

/** Returns what is wrong with a list of proxies, if anything. */
export function checkProxies(proxies: boolean | readonly string[]): string | undefined {
  if (typeof proxies === 'boolean') return undefined;
  const wrong = proxies.find((proxy) => {
    try {
      blockListOf([proxy]);
      return false;
    } catch {
      return true;
    }
  });
  return wrong === undefined ? undefined : `must have addresses and networks, got ${JSON.stringify(wrong)}`;
}

/** Throws if an entry is neither an address nor a network. */
function blockListOf(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [, address = '', bits] = network.exec(proxy) ?? [];
    const [version, maxBits] = address.includes(':') ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, Number(bits ?? maxBits), version);
  }
  return list;
}

/** The items of a comma-separated list. */
export function itemsOf(header: string | readonly string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(item: string): string {
  const [, bracketed, ipv4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(item) ?? [];
  return bracketed ?? ipv4 ?? item;
}

function plain(address: string): string {
  return address.replace(mapped, '');
}
