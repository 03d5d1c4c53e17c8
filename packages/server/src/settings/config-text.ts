import { readFileSync } from 'node:fs';
import { quote } from '@roster/contract';
import { InvalidSettings } from './invalid-settings.ts';

const maxBytes = 2 ** 18;

/** The text of a configuration file. Throws `InvalidSettings`. */
export function readConfigText(file: string): string {
  const bytes = readBytes(file);
  if (bytes.length > maxBytes) throw new InvalidSettings([`${file} has more than ${maxBytes / 1024} KiB`]);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidSettings([`${file} is not valid UTF-8; save the file as UTF-8`]);
  }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InvalidSettings([explain(quote(file), (error as NodeJS.ErrnoException).code)]);
  }
}

function explain(file: string, code: string | undefined): string {
  if (code === 'ENOENT') return `there is no configuration file ${file}`;
  if (code === 'EISDIR') return `${file} is a directory; name the configuration file in it`;
  return `the configuration file ${file} cannot be read (${code})`;
}
