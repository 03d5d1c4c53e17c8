export interface FairTurnsOptions {
  /** How many run at once. */
  readonly atOnce: number;
  /** How many of them may belong to one party, which leaves room for others. */
  readonly atOncePerParty: number;
}

export interface TurnOptions {
  /** Aborted when the work is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
  /** Within a party the lowest goes first, then the longest waiting. */
  readonly order?: number;
}

interface Waiting {
  readonly order: number;
  begin(): void;
}

interface Party {
  readonly name: string;
  readonly waiting: Waiting[];
  running: number;
}

/**
 * Work that takes turns between parties: the next turn goes to the party whose last one is longest ago,
 * however much work each has. A turn that had to wait begins in a new tick of the event loop, which lets
 * other work in between.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  /** Parties that run or wait, in the order of their next turns. */
  readonly #parties = new Map<string, Party>();
  #running = 0;
  #waiting = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** How many parties run or wait. */
  get parties(): number {
    return this.#parties.size;
  }

  /** Runs the work when it is the party's turn. Rejects if `signal` is aborted before. */
  async run<T>(partyName: string, work: () => T | Promise<T>, options: TurnOptions = {}): Promise<T> {
    options.signal?.throwIfAborted();
    const party = this.#parties.getOrInsertComputed(partyName, newParty);
    if (this.#mayBegin(party)) this.#begin(party);
    else await this.#wait(party, options);
    try {
      return await work();
    } finally {
      setImmediate(() => this.#end(party));
    }
  }

  #mayBegin({ running }: Party): boolean {
    return this.#running < this.#options.atOnce && running < this.#options.atOncePerParty;
  }

  #begin(party: Party): void {
    this.#running++;
    party.running++;
    this.#moveToEnd(party);
  }

  #moveToEnd(party: Party): void {
    this.#parties.delete(party.name);
    this.#parties.set(party.name, party);
  }

  #wait(party: Party, { signal, order = 0 }: TurnOptions): Promise<void> {
    const { waiting } = party;
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(self), 1);
        this.#waiting--;
        if (isIdle(party)) this.#parties.delete(party.name);
        reject(signal!.reason);
      };
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        this.#waiting--;
        resolve();
      };
      const self = { order, begin };
      signal?.addEventListener('abort', leave, { once: true });
      const before = waiting.findLastIndex((other) => other.order <= order);
      waiting.splice(before + 1, 0, self);
      this.#waiting++;
    });
  }

  #end(party: Party): void {
    this.#running--;
    party.running--;
    if (isIdle(party)) this.#parties.delete(party.name);
    else this.#moveToEnd(party);
    for (const next of this.#parties.values()) {
      if (next.waiting.length === 0 || !this.#mayBegin(next)) continue;
      this.#begin(next);
      next.waiting.shift()!.begin();
      return;
    }
  }
}

function isIdle({ running, waiting }: Party): boolean {
  return running === 0 && waiting.length === 0;
}

function newParty(name: string): Party {
  return { name, waiting: [], running: 0 };
}
