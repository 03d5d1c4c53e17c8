import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Who sent a request, and by which way. */
export interface Client {
  readonly address: string;
  /** As the client sees the server, such as `https://roster.example.com`. */
  readonly origin: string;
}

export type ClientOf = (request: IncomingMessage) => Client;

const mapped = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const cidr = /^([^/]+)\/(\d{1,3})$/;

/**
 * Knows which neighbours are proxies, and asks those alone whom they speak for. What anyone else says in
 * `X-Forwarded-For`, `-Proto` and `-Host` counts for nothing.
 */
export class TrustedProxies {
  readonly #trusted: boolean | BlockList;

  constructor(trustProxy: boolean | readonly string[]) {
    this.#trusted = typeof trustProxy === 'boolean' ? trustProxy : blockListOf(trustProxy);
  }

  readonly isProxy = (address: string): boolean => {
    if (typeof this.#trusted === 'boolean') return this.#trusted;
    const version = isIP(address);
    return version !== 0 && this.#trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };

  readonly clientOf: ClientOf = ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? 'unknown';
    const scheme = (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
    if (this.#trusted === false || !this.isProxy(peer)) {
      return { address: plain(peer), origin: `${scheme}://${headers.host ?? ''}` };
    }
    const protocol = firstOf(headers['x-forwarded-proto'])?.toLowerCase();
    const host = firstOf(headers['x-forwarded-host']) ?? headers.host ?? '';
    const isKnown = protocol === 'https' || protocol === 'http';
    return {
      address: plain(this.#nearestStranger(peer, itemsOf(headers['x-forwarded-for']))),
      origin: `${isKnown ? protocol : scheme}://${host}`,
    };
  };

  /** Each proxy appends the address that it was called from, so that only the end of the list can be believed. */
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

/** What is wrong with a list of proxies, if anything. */
export function faultOfProxies(proxies: boolean | readonly string[]): string | undefined {
  if (typeof proxies === 'boolean') return undefined;
  const wrong = proxies.find((proxy) => rangeOf(proxy) === undefined);
  return wrong === undefined ? undefined : `must have addresses and networks, got ${JSON.stringify(wrong)}`;
}

interface Range {
  readonly address: string;
  readonly version: 'ipv4' | 'ipv6';
  readonly bits: number;
}

function blockListOf(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const { address, bits, version } = rangeOf(proxy)!;
    list.addSubnet(address, bits, version);
  }
  return list;
}

function rangeOf(text: string): Range | undefined {
  const [, network = text, bits] = cidr.exec(text) ?? [];
  const version = isIP(network);
  const most = version === 6 ? 128 : 32;
  if (version === 0 || Number(bits ?? 0) > most) return undefined;
  return {
    address: network,
    version: version === 6 ? 'ipv6' : 'ipv4',
    bits: bits === undefined ? most : Number(bits),
  };
}

function itemsOf(header: string | readonly string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  return itemsOf(header)[0];
}

/** Some proxies tell the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(item: string): string {
  const [, bracketed, ipv4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(item) ?? [];
  return bracketed ?? ipv4 ?? item;
}

function plain(address: string): string {
  return address.replace(mapped, '');
}
