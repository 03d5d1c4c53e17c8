import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';

/** Far more than a record has; aliases that stand for aliases grow past any limit. */
const maxNodes = 2000;

/** What is wrong at an offset of YAML text. */
export class YamlFault extends Error {
  readonly offset: number;
  readonly field: string | undefined;

  constructor(offset: number, reason: string, field?: string) {
    super(reason);
    this.offset = offset;
    this.field = field;
  }
}

/** Turns nodes into values as JSON has them. The library's own way takes minutes for some hostile texts. */
export class YamlValues {
  readonly #document: Document;
  #nodes = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  of(node: unknown): unknown {
    if (++this.#nodes > maxNodes) throw new YamlFault(0, 'has too many parts');
    if (isScalar(node)) return node.value;
    if (isAlias(node)) return this.of(node.resolve(this.#document) ?? missingAnchor(node, node.source));
    if (isSeq(node)) return node.items.map((item) => this.of(item));
    if (!isMap(node)) return null;
    const value: Record<string, unknown> = Object.create(null);
    for (const { key, value: member } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      if (name in value) throw new YamlFault(startOf(key), 'is given twice', name);
      value[name] = this.of(member);
    }
    return value;
  }
}

/** The offset at which a node begins. */
export function startOf(node: unknown): number {
  return (node as Node).range?.[0] ?? 0;
}

function missingAnchor(node: Node, name: string): never {
  const why = 'which this record does not have; each record is read on its own';
  throw new YamlFault(startOf(node), `the alias *${name} needs the anchor &${name}, ${why}`);
}
