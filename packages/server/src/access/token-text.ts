import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Lets people and secret scanners recognise a token. */
export const tokenPrefix = 'roster_';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The digits of 256 bits. */
const secretLength = 43;
const checksumLength = 6;
const shape = new RegExp(`^${tokenPrefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** The text of a new token: the prefix, 256 random bits and a checksum. */
export function makeTokenText(): string {
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  return withChecksum(tokenPrefix + secret);
}

/** False for a token that was mistyped or cut off. */
export function isTokenText(text: string): boolean {
  return shape.test(text) && withChecksum(text.slice(0, -checksumLength)) === text;
}

/** What is stored of a token. SHA-256 is enough for a random secret. */
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
