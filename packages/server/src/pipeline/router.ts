import {
  type Operation,
  type OperationId,
  operations,
  RosterError,
  type StationAddress,
} from '@roster/contract';

export interface Route {
  /** By method; HEAD stands for GET. */
  readonly operations: Readonly<Record<string, OperationId | undefined>>;
  readonly methods: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  /** The same object for the same path while it is remembered. */
  readonly address: StationAddress | undefined;
}

interface Pattern {
  readonly path: RegExp;
  readonly names: readonly string[];
  readonly operations: Record<string, OperationId>;
}

const maxRememberedPaths = 10_000;
/** Longer than any path without unnecessary percent escapes. */
const maxRememberedLength = 1_200;

/** Finds the operations of a path, and remembers paths. */
export class Router {
  readonly #patterns = createPatterns();
  readonly #remembered = new Map<string, Route>();
  #lastPath = '';
  #last: Route | undefined;

  /** Undefined if no operation has this path. Throws if a parameter in it cannot be decoded. */
  find(path: string): Route | undefined {
    if (path === this.#lastPath) return this.#last;
    const route = this.#remembered.get(path) ?? this.#parse(path);
    if (route === undefined) return undefined;
    this.#lastPath = path;
    this.#last = route;
    return route;
  }

  #parse(path: string): Route | undefined {
    for (const pattern of this.#patterns) {
      const match = pattern.path.exec(path);
      if (match === null) continue;
      const route = routeOf(pattern, match.slice(1));
      if (path.length > maxRememberedLength) return route;
      if (this.#remembered.size >= maxRememberedPaths) this.#remembered.clear();
      this.#remembered.set(path, route);
      return route;
    }
    return undefined;
  }
}

/** One for each path, with its operations by method. */
function createPatterns(): Pattern[] {
  const byPath = Map.groupBy(
    Object.entries(operations) as [OperationId, Operation][],
    ([, { path }]) => path,
  );
  return [...byPath].map(([path, entries]) => ({
    path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '([^/]*)')}$`),
    names: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!),
    operations: Object.fromEntries(entries.map(([id, { method }]) => [method, id])),
  }));
}

function routeOf({ names, operations: byMethod }: Pattern, values: readonly string[]): Route {
  const params = Object.fromEntries(names.map((name, at) => [name, decode(name, values[at]!)]));
  const { GET: read, ...writes } = byMethod;
  const withHead = read === undefined ? writes : { GET: read, HEAD: read, ...writes };
  return {
    operations: withHead,
    methods: [...Object.keys(withHead), 'OPTIONS'],
    params,
    address: addressOf(params),
  };
}

function addressOf(params: Readonly<Record<string, string>>): StationAddress | undefined {
  const { subscription_name, resource_group_name, zone, telemetry_station_name } = params;
  if (telemetry_station_name === undefined) return undefined;
  return {
    subscription: subscription_name!,
    resourceGroup: resource_group_name!,
    zone: zone!,
    name: telemetry_station_name,
  };
}

function decode(parameter: string, text: string): string {
  if (text === '') {
    throw new RosterError('invalid_parameter', `${parameter} must not be empty`, { parameter });
  }
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RosterError('invalid_parameter', `${parameter} is not valid percent-encoded UTF-8`, {
      parameter,
    });
  }
}
