import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents, type ServerSentEvent } from '../../testing/read-events.ts';
import type { RunningServer } from '../../testing/start-server.ts';
import type { PastChange } from '../../testing/station-answers.ts';
import type { LinearHistory } from './linear-history.ts';

interface ChangesEvent {
  readonly revision: string;
  readonly complete: boolean;
  readonly changes: readonly PastChange[];
}

export interface ListenerParts {
  readonly history: LinearHistory;
  readonly path: string;
  /** Where to listen next, whenever a stream has ended. */
  chooseServer(): RunningServer;
  /** How long to listen there at most. */
  chooseStayMs(): number;
}

/** Follows the changes of a station from node to node, and notes in a linear history what it hears. */
export class ChangeListener {
  /** The last revision that it heard completely, or from which on it listens. */
  revision: string | undefined;
  /** How often it was told that what it has heard is no longer true. */
  expirations = 0;
  readonly #parts: ListenerParts;

  constructor(parts: ListenerParts, since: string) {
    this.#parts = parts;
    this.revision = since;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const stay = AbortSignal.timeout(this.#parts.chooseStayMs());
      await this.#listen(AbortSignal.any([signal, stay])).catch(() => undefined);
      await sleep(10);
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { path, chooseServer } = this.#parts;
    const headers: Record<string, string> = this.revision ? { 'Last-Event-ID': this.revision } : {};
    const response = await chooseServer().fetch(`/roster/v1${path}/changes/stream`, { headers, signal });
    if (response.status === 410) this.#expire();
    if (response.status !== 200) return;
    const changes: PastChange[] = [];
    for await (const event of readEvents(response)) this.#take(event, changes);
  }

  #take({ event, data }: ServerSentEvent, changes: PastChange[]): void {
    if (event === 'expired') this.#expire();
    else if (event === 'revision') this.revision ??= (data as ChangesEvent).revision;
    else if (event === 'changes') {
      const part = data as ChangesEvent;
      changes.push(...part.changes);
      if (!part.complete) return;
      this.#parts.history.hear(part.revision, changes.splice(0), this.revision);
      this.revision = part.revision;
    }
  }

  #expire(): void {
    this.expirations++;
    this.revision = undefined;
  }
}
