import { type StationAddress, stationKey } from '@roster/contract';

/**
 * What `stations.address` holds: the names in UTF-16, the higher byte of each unit first, with a separator
 * below all characters. So it orders stations by UTF-16 code units, and any text at all can be looked for.
 */
export function addressKey(address: StationAddress): Buffer {
  return Buffer.from(stationKey(address), 'utf16le').swap16();
}

/** Whether PostgreSQL can hold a text. No resource has an id, and no station a name, that it cannot. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
