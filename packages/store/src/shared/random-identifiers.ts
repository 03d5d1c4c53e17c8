import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const epochLength = 10;
const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';

export function randomEpoch(): string {
  return Array.from({ length: epochLength }, () => base36[randomInt(base36.length)]).join('');
}

/** Node.js keeps random bytes for UUIDs; asking for bytes takes a tenth of a small write. */
export function randomRevId(): string {
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(-8);
}

export function randomGeneration(): string {
  return randomBytes(16).toString('hex');
}
