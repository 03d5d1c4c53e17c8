import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** By this people and secret scanners know a token. */
export const tokenPrefix = 'roster_';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** As many as 256 bits take. */
const secretLength = 43;
const checksumLength = 6;
const shape = new RegExp(`^${tokenPrefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** The text of a new token: the prefix, 256 random bits and a checksum. */
export function makeTokenText(): string {
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  return withChecksum(tokenPrefix + secret);
}

/** False for what was mistyped or cut off: no token has such a text. */
export function isTokenText(text: string): boolean {
  return shape.test(text) && withChecksum(text.slice(0, -checksumLength)) === text;
}

/** What is kept of a token: SHA-256, which is enough for a secret that nobody can guess. */
export function hashToken(text: string): string {
  return hash('sha256', text);
}

function withChecksum(text: string): string {
  return text + inBase62(BigInt(crc32(text)), checksumLength);
}

function inBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text;
  return text.padStart(length, '0');
}
