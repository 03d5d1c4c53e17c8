import { randomBytes, randomInt } from 'node:crypto';

const epochLength = 10;
const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';

export function randomEpoch(): string {
  return Array.from({ length: epochLength }, () => base36[randomInt(base36.length)]).join('');
}

export function randomRevId(): string {
  return randomBytes(8).toString('hex');
}

export function randomGeneration(): string {
  return randomBytes(16).toString('hex');
}
