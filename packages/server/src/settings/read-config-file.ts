import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { nearestName, quote } from '@roster/contract';
import type { Node, Pair, YAMLError } from 'yaml';
import {
  checkValue,
  type GivenSettings,
  invalidSetting,
  nameOfPart,
  type Origin,
  readSecrets,
} from './given-settings.ts';
import { InvalidSettings } from './invalid-settings.ts';
import { sections, settingByKey } from './setting-names.ts';

const require = createRequire(import.meta.url);
const keys = [...settingByKey.keys()];
const sectionKeys = sections.map(({ key }) => key);

/** Throws `InvalidSettings` if the file, or `text` in its place, cannot be read as YAML. */
export function readConfigFile(file: string, errors: string[], text?: string): GivenSettings {
  const reader = new ConfigFileReader(file, errors);
  reader.read(text ?? readConfigText(file));
  readSecrets(reader.layer, errors);
  return reader.layer;
}

class InvalidNode extends Error {
  readonly node: unknown;
  readonly key: string;

  constructor(node: unknown, key: string, reason: string) {
    super(reason);
    this.node = node;
    this.key = key;
  }
}

class ConfigFileReader {
  readonly layer: GivenSettings = new Map();
  readonly #file: string;
  readonly #errors: string[];
  readonly #lines = new (yaml().LineCounter)();

  constructor(file: string, errors: string[]) {
    this.#file = file;
    this.#errors = errors;
  }

  read(text: string): void {
    const document = yaml().parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      schema: 'core',
      uniqueKeys: false,
    });
    const found = [...document.errors, ...document.warnings];
    if (found.length > 0) throw new InvalidSettings(found.map((error) => this.#explain(error)));
    this.#guarded(() => this.#readSection('', document.contents));
  }

  #readSection(prefix: string, node: unknown): void {
    if (isNothing(node)) return;
    if (!yaml().isMap(node)) {
      const name = prefix === '' ? 'the file' : prefix.slice(0, -1);
      const known = childrenOf(prefix).join(', ');
      throw new InvalidNode(node, name, `must have keys with values, such as ${known}; got ${kindOf(node)}`);
    }
    const seen = new Set<string>();
    for (const pair of node.items) this.#guarded(() => this.#readPair(prefix, pair, seen));
  }

  #readPair(prefix: string, { key: keyNode, value: node }: Pair, seen: Set<string>): void {
    const name = nameOf(keyNode);
    const key = `${prefix}${name}`;
    if (seen.has(key)) throw new InvalidNode(keyNode, key, 'is given twice');
    seen.add(key);
    if (sectionKeys.includes(key)) this.#readSection(`${key}.`, node);
    else if (settingByKey.has(key)) this.#readSetting(key, keyNode, node);
    else throw new InvalidNode(keyNode, quote(key), `is not a setting${suggest(prefix, name)}`);
  }

  #readSetting(key: string, keyNode: unknown, node: unknown): void {
    this.layer.set(key, { value: undefined, origin: this.#originOf(keyNode, key) });
    if (isNothing(node)) {
      throw new InvalidNode(keyNode, key, 'has no value; give it one, or remove the line');
    }
    this.layer.set(key, { value: this.#readValue(key, node), origin: this.#originOf(node, key) });
  }

  #readValue(key: string, node: unknown): unknown {
    const entry = settingByKey.get(key)!;
    const value = valueAt(node, key);
    const invalid = checkValue(entry, value).map(({ path, reason }) => {
      const name = entry.schema.setting.checkParts ? nameOfPart(key, path) : key;
      return new InvalidNode(nodeAt(node, path), name, reason);
    });
    for (const other of invalid.slice(1)) this.#report(other);
    if (invalid.length > 0) throw invalid[0];
    return entry.schema.setting.isPath === true ? resolveBeside(this.#file, String(value)) : value;
  }

  #guarded(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof InvalidNode)) throw error;
      this.#report(error);
    }
  }

  #report({ node, key, message }: InvalidNode): void {
    this.#errors.push(invalidSetting(this.#originOf(node, key), key, message));
  }

  #originOf(node: unknown, key: string): Origin {
    const { line, col } = this.#lines.linePos((node as Node).range?.[0] ?? 0);
    return { kind: 'file', file: this.#file, key, line, column: col };
  }

  #explain({ code, message, pos: [offset] }: YAMLError): string {
    const { line, col } = this.#lines.linePos(offset);
    const isSecond = code === 'MULTIPLE_DOCS';
    const reason = isSecond ? 'a second document begins here; the file must be one' : message;
    return `${this.#file}:${line}:${col}: ${reason}`;
  }
}

function isNothing(node: unknown): boolean {
  return node === null || (yaml().isScalar(node) && node.value === null);
}

function nameOf(key: unknown): string {
  return yaml().isScalar(key) ? String(key.value) : '';
}

/** Does not show the value: it may be a misplaced secret. */
function kindOf(node: unknown): string {
  if (yaml().isScalar(node)) return 'a single value';
  return yaml().isSeq(node) ? 'a list' : 'an alias';
}

/** Aliases are refused: nothing here is long enough to need them, and some expand without end. */
function valueAt(node: unknown, key: string): unknown {
  if (yaml().isScalar(node)) return node.value;
  if (yaml().isAlias(node)) throw new InvalidNode(node, key, 'is an alias; write the value itself');
  if (yaml().isSeq(node)) return node.items.map((item) => valueAt(item, key));
  if (!yaml().isMap(node)) return null;
  const values: Record<string, unknown> = {};
  for (const pair of node.items) {
    const name = nameOf(pair.key);
    if (Object.hasOwn(values, name)) throw new InvalidNode(pair.key, `${key}.${name}`, 'is given twice');
    Object.defineProperty(values, name, { value: valueAt(pair.value, key), enumerable: true });
  }
  return values;
}

function nodeAt(node: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, step) => {
    if (yaml().isSeq(inner)) return inner.items[Number(step)] ?? inner;
    return yaml().isMap(inner) ? (inner.get(step, true) ?? inner) : inner;
  }, node);
}

function childrenOf(prefix: string): string[] {
  const inside = keys.filter((key) => key.startsWith(prefix));
  return [...new Set(inside.map((key) => key.slice(prefix.length).split('.')[0]!))];
}

/** Looks in the section first, then everywhere. */
function suggest(prefix: string, name: string): string {
  const sibling = nearestName(name, childrenOf(prefix));
  const sameName = keys.find((key) => key.split('.').at(-1) === name);
  const nearest = sibling === undefined ? (sameName ?? nearestName(name, keys)) : `${prefix}${sibling}`;
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/** Makes a path independent of where the server is started. */
function resolveBeside(file: string, given: string): string {
  return path.isAbsolute(given) ? given : path.join(path.dirname(file), given);
}

const maxBytes = 2 ** 18;

/** Throws `InvalidSettings`. */
export function readConfigText(file: string): string {
  const bytes = readBytes(file);
  if (bytes.length > maxBytes) throw new InvalidSettings([`${file} has more than ${maxBytes / 1024} KiB`]);
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  throw new InvalidSettings([`${file} is not valid UTF-8; save the file as UTF-8`]);
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const name = quote(file);
    if (code === 'ENOENT') throw new InvalidSettings([`there is no configuration file ${name}`]);
    if (code === 'EISDIR')
      throw new InvalidSettings([`${name} is a directory; name the configuration file in it`]);
    throw new InvalidSettings([`the configuration file ${name} cannot be read (${code})`]);
  }
}

/** Loaded when there is a file to read: a start without one is faster. */
function yaml(): typeof import('yaml') {
  return require('yaml');
}
