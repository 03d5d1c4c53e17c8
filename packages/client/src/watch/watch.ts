import { HttpError, invalidArgument, RosterClientError } from '../errors.ts';
import { isRevisionExpired } from '../guards.ts';
import { backoffMs, isTransient, pause } from '../http/retry.ts';
import type { OpenAnswer } from '../http/transport.ts';
import type { PastChange, RecordView } from '../roster-wire.ts';
import { readEvents, type ServerSentEvent } from './event-stream.ts';

/** The whole station at one revision: at the start, and after every gap in the history. */
export interface ListedEvent {
  readonly kind: 'listed';
  readonly revision: string;
  readonly resources: readonly RecordView[];
}

/** All changes of one revision. */
export interface ChangedEvent {
  readonly kind: 'changed';
  readonly revision: string;
  readonly changes: readonly PastChange[];
}

export type WatchEvent = ListedEvent | ChangedEvent;

/** The requests of a watch. */
export interface WatchSource {
  /** Reads the whole station; not called for a watch without lists. */
  list(): Promise<ListedEvent>;
  /** Opens the change stream after a position, or from now on. */
  open(since: string | undefined): Promise<OpenAnswer>;
}

export interface WatchProgress {
  readonly since: string | undefined;
  /** Whether to start with the whole station, and again after a gap in the history. */
  readonly list: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called when every change up to a revision has been returned: at the start, and while nothing changes. */
  readonly onCurrent?: ((revision: string) => void) | undefined;
  /** Called whenever the stream breaks off, before the watch reconnects. */
  readonly onInterrupted?: (() => void) | undefined;
}

/**
 * An endless stream of the changes of a station. It reconnects by itself; each change comes once, and those of one
 * revision come together. It can be read once.
 */
export class Watch implements AsyncIterable<WatchEvent> {
  /** After the last change returned. Pass it as `since` to resume with another watch. */
  position: string | undefined;
  readonly #source: WatchSource;
  readonly #progress: WatchProgress;
  #hasBegun = false;
  #failures = 0;

  constructor(source: WatchSource, progress: WatchProgress) {
    this.#source = source;
    this.#progress = progress;
    this.position = progress.since;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent, void, undefined> {
    if (this.#hasBegun) throw invalidArgument('a watch can be read once; call watch again');
    this.#hasBegun = true;
    for (;;) {
      try {
        if (this.#progress.list && this.position === undefined) yield await this.#listAgain();
        yield* this.#follow();
        await this.#waitToReturn();
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  async #listAgain(): Promise<ListedEvent> {
    const listed = await this.#source.list();
    this.position = listed.revision;
    return listed;
  }

  /** Until the stream ends. A large revision comes in several events, which are held back until the last one. */
  async *#follow(): AsyncGenerator<ChangedEvent, void, undefined> {
    let held: PastChange[] = [];
    for await (const event of readEvents(await this.#source.open(this.position))) {
      this.#failures = 0;
      if (event.event === 'expired') throw expired(event);
      if (event.event === 'failed') return;
      if (event.event === 'changes') {
        const { revision, complete, changes } = parseData(event) as ChangesData;
        held = held.concat(changes);
        if (!complete) continue;
        this.position = event.id;
        yield { kind: 'changed', revision, changes: held };
        held = [];
      } else if (event.event === 'revision' && held.length === 0) {
        this.position = event.id;
        this.#progress.onCurrent?.((parseData(event) as RevisionData).revision);
      }
    }
  }

  /** Throws permanent errors; after a gap in the history, resets the position. */
  async #recover(error: unknown): Promise<void> {
    if (isRevisionExpired(error) && this.#progress.list) this.position = undefined;
    else if (!canReturn(error)) throw error;
    await this.#waitToReturn();
  }

  async #waitToReturn(): Promise<void> {
    const { signal, onInterrupted } = this.#progress;
    if (!signal?.aborted) onInterrupted?.();
    await pause(backoffMs(++this.#failures), signal);
    if (signal?.aborted) {
      throw new RosterClientError('aborted', 'the watch was aborted by its caller', { cause: signal.reason });
    }
  }
}

interface RevisionData {
  readonly revision: string;
}

interface ChangesData {
  readonly revision: string;
  readonly complete: boolean;
  readonly changes: readonly PastChange[];
}

interface ProblemData {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
}

function canReturn(error: unknown): boolean {
  const isServerTrouble = error instanceof HttpError && error.status >= 500;
  const isSilence = error instanceof RosterClientError && error.code === 'timeout';
  return isTransient(error) || isServerTrouble || isSilence;
}

function expired(event: ServerSentEvent): HttpError {
  const { status, code, detail, request_id: requestId } = parseData(event) as ProblemData;
  const message = `the stream of changes ended with ${status} ${code}: ${detail}`;
  return new HttpError(message, { status, code, detail, requestId });
}

function parseData({ event, data }: ServerSentEvent): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    const message = `an event ${event} of the stream is not JSON: ${JSON.stringify(data.slice(0, 120))}`;
    throw new RosterClientError('malformed_answer', message, { cause });
  }
}
