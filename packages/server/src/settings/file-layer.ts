import path from 'node:path';
import { nearestName, quote } from '@roster/contract';
import type { Node, Pair, YAMLError } from 'yaml';
import { readConfigText } from './config-text.ts';
import { entryOf, sections } from './entries.ts';
import { InvalidSettings } from './invalid-settings.ts';
import { findFault, type Layer, readSecrets } from './layer.ts';
import { blame, type Origin } from './origin.ts';
import { yaml } from './yaml-on-demand.ts';

const keys = [...entryOf.keys()];
const sectionKeys = sections.map(({ key }) => key);

/** Reads a configuration file. Throws `InvalidSettings` where there is no telling what it says. */
export function readConfigFile(file: string, faults: string[]): Layer {
  const reader = new ConfigFileReader(file, faults);
  reader.read(readConfigText(file));
  readSecrets(reader.layer, faults);
  return reader.layer;
}

/** What is wrong at a node. */
class NodeFault extends Error {
  readonly node: unknown;
  readonly key: string;

  constructor(node: unknown, key: string, complaint: string) {
    super(complaint);
    this.node = node;
    this.key = key;
  }
}

class ConfigFileReader {
  readonly layer: Layer = new Map();
  readonly #file: string;
  readonly #faults: string[];
  readonly #lines = new (yaml().LineCounter)();

  constructor(file: string, faults: string[]) {
    this.#file = file;
    this.#faults = faults;
  }

  read(text: string): void {
    const document = yaml().parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      schema: 'core',
      uniqueKeys: false,
    });
    const problems = [...document.errors, ...document.warnings];
    if (problems.length > 0) {
      throw new InvalidSettings(
        problems.map((problem) => `${this.#placeOf(problem.pos[0])}: ${explain(problem)}`),
      );
    }
    this.#guarded(() => this.#readSection('', document.contents));
  }

  #readSection(prefix: string, node: unknown): void {
    if (isNothing(node)) return;
    if (!yaml().isMap(node)) {
      const name = prefix === '' ? 'the file' : prefix.slice(0, -1);
      const known = childrenOf(prefix).join(', ');
      throw new NodeFault(node, name, `must have keys with values, such as ${known}; got ${kindOf(node)}`);
    }
    const seen = new Set<string>();
    for (const pair of node.items) this.#guarded(() => this.#readPair(prefix, pair, seen));
  }

  #readPair(prefix: string, { key: keyNode, value: node }: Pair, seen: Set<string>): void {
    const name = nameOf(keyNode);
    const key = `${prefix}${name}`;
    if (seen.has(key)) throw new NodeFault(keyNode, key, 'is given twice');
    seen.add(key);
    if (sectionKeys.includes(key)) this.#readSection(`${key}.`, node);
    else if (entryOf.has(key)) this.#readSetting(key, keyNode, node);
    else throw new NodeFault(keyNode, quote(key), `is not a setting${suggest(prefix, name)}`);
  }

  #readSetting(key: string, keyNode: unknown, node: unknown): void {
    this.layer.set(key, { value: undefined, origin: this.#originOf(keyNode, key) });
    if (isNothing(node)) {
      throw new NodeFault(keyNode, key, 'has no value; give it one, or take the line out');
    }
    this.layer.set(key, { value: this.#readValue(key, node), origin: this.#originOf(node, key) });
  }

  #readValue(key: string, node: unknown): unknown {
    const entry = entryOf.get(key)!;
    const value = valueAt(node, key);
    const fault = findFault(entry, value);
    if (fault !== undefined) throw new NodeFault(partOf(node, fault.part), key, fault.complaint);
    return entry.schema.setting.isPath === true ? resolveBeside(this.#file, String(value)) : value;
  }

  #guarded(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof NodeFault)) throw error;
      this.#faults.push(blame(this.#originOf(error.node, error.key), error.key, error.message));
    }
  }

  #originOf(node: unknown, key: string): Origin {
    const { line, col } = this.#lines.linePos((node as Node).range?.[0] ?? 0);
    return { kind: 'file', file: this.#file, key, place: { line, column: col } };
  }

  #placeOf(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#file}:${line}:${col}`;
  }
}

function explain({ code, message }: YAMLError): string {
  return code === 'MULTIPLE_DOCS' ? 'a second document begins here; the file must be one' : message;
}

function isNothing(node: unknown): boolean {
  return node === null || (yaml().isScalar(node) && node.value === null);
}

function nameOf(key: unknown): string {
  return yaml().isScalar(key) ? String(key.value) : '';
}

/** The value itself may be a secret that stands in the wrong place. */
function kindOf(node: unknown): string {
  if (yaml().isScalar(node)) return 'a single value';
  return yaml().isSeq(node) ? 'a list' : 'an alias';
}

/** Aliases are refused: nothing here is long enough to need them, and some of them never end. */
function valueAt(node: unknown, key: string): unknown {
  if (yaml().isScalar(node)) return node.value;
  if (yaml().isAlias(node)) throw new NodeFault(node, key, 'is an alias; write the value itself');
  if (yaml().isSeq(node)) return node.items.map((item) => valueAt(item, key));
  if (!yaml().isMap(node)) return null;
  const values: Record<string, unknown> = {};
  for (const pair of node.items) {
    const name = nameOf(pair.key);
    if (Object.hasOwn(values, name)) throw new NodeFault(pair.key, `${key}.${name}`, 'is given twice');
    Object.defineProperty(values, name, { value: valueAt(pair.value, key), enumerable: true });
  }
  return values;
}

/** The node of a part of a value. */
function partOf(node: unknown, part: readonly string[]): unknown {
  return part.reduce((inner, step) => {
    if (yaml().isSeq(inner)) return inner.items[Number(step)] ?? inner;
    return yaml().isMap(inner) ? (inner.get(step, true) ?? inner) : inner;
  }, node);
}

function childrenOf(prefix: string): string[] {
  const inside = keys.filter((key) => key.startsWith(prefix));
  return [...new Set(inside.map((key) => key.slice(prefix.length).split('.')[0]!))];
}

/** Looks among the keys of the section first, then everywhere. */
function suggest(prefix: string, name: string): string {
  const sibling = nearestName(name, childrenOf(prefix));
  const sameName = keys.find((key) => key.split('.').at(-1) === name);
  const nearest = sibling === undefined ? (sameName ?? nearestName(name, keys)) : `${prefix}${sibling}`;
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/** So that a path stands for the same file wherever the server is started from. */
function resolveBeside(file: string, given: string): string {
  return path.isAbsolute(given) ? given : path.join(path.dirname(file), given);
}
