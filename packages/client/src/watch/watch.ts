import { HttpError, invalidArgument, RosterClientError } from '../errors.ts';
import { isRevisionExpired } from '../guards.ts';
import { backoffMs, isTransient, pause } from '../http/retry.ts';
import type { OpenAnswer } from '../http/transport.ts';
import type { PastChange, RecordView } from '../own-wire.ts';
import { readEvents, type ServerSentEvent } from './event-stream.ts';

/** The whole station at one revision: at the beginning, and whenever what happened since is no longer known. */
export interface ListedEvent {
  readonly kind: 'listed';
  readonly revision: string;
  readonly resources: readonly RecordView[];
}

/** Everything that one revision changed. */
export interface ChangedEvent {
  readonly kind: 'changed';
  readonly revision: string;
  readonly changes: readonly PastChange[];
}

export type WatchEvent = ListedEvent | ChangedEvent;

/** How a watch reaches its server. */
export interface WatchSource {
  /** The whole station; not called for a watch of changes alone. */
  list(): Promise<ListedEvent>;
  /** The stream of changes behind a position, or from now on. */
  open(since: string | undefined): Promise<OpenAnswer>;
}

export interface WatchProgress {
  readonly since: string | undefined;
  /** Whether to begin with the whole station, and to do so again when the history has a gap. */
  readonly list: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * The changes of a station, for as long as they are wanted. It goes on by itself when a connection breaks,
 * each change comes once, and those of one revision come together. It can be read once.
 */
export class Watch implements AsyncIterable<WatchEvent> {
  /** Behind everything that has been given out. A later watch can go on from here with `since`. */
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

  /** Until the stream ends. Parts of a large revision are held back until the last of them has come. */
  async *#follow(): AsyncGenerator<ChangedEvent, void, undefined> {
    let parts: PastChange[] = [];
    for await (const event of readEvents(await this.#source.open(this.position))) {
      this.#failures = 0;
      if (event.event === 'expired') throw expired(event);
      if (event.event === 'failed') return;
      if (event.event === 'changes') {
        const { revision, complete, changes } = parseData(event) as ChangesData;
        parts = parts.concat(changes);
        if (!complete) continue;
        this.position = event.id;
        yield { kind: 'changed', revision, changes: parts };
        parts = [];
      } else if (event.event === 'revision' && parts.length === 0) this.position = event.id;
    }
  }

  /** Throws what cannot be helped; after a gap in the history, forgets where it was. */
  async #recover(error: unknown): Promise<void> {
    if (isRevisionExpired(error) && this.#progress.list) this.position = undefined;
    else if (!canReturn(error)) throw error;
    await this.#waitToReturn();
  }

  async #waitToReturn(): Promise<void> {
    const { signal } = this.#progress;
    await pause(backoffMs(++this.#failures), signal);
    if (signal?.aborted) {
      throw new RosterClientError('aborted', 'the watch was aborted by its caller', { cause: signal.reason });
    }
  }
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
