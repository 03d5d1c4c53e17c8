import { invalidArgument, RosterClientError } from '../errors.ts';
import type { HistoryBeginning, HistoryPage, PastChange } from '../roster-wire.ts';

export type ReadHistoryPage = (since: string | undefined) => Promise<HistoryPage>;

/** Every change after a revision, in order. It can be read once. */
export class History implements AsyncIterable<PastChange> {
  /** Send it as `since` to continue later. Advances with every complete page. */
  position: string | undefined;
  /** Where the history that is kept begins. Known after the first page. */
  from: HistoryBeginning | undefined;
  readonly #readPage: ReadHistoryPage;
  #hasBegun = false;

  constructor(readPage: ReadHistoryPage, since: string | undefined) {
    this.#readPage = readPage;
    this.position = since;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PastChange, void, undefined> {
    if (this.#hasBegun) throw invalidArgument('a history can be read once; call history again');
    this.#hasBegun = true;
    for (;;) {
      const { changes, next, has_more, history_from } = await this.#readPage(this.position);
      this.from ??= history_from;
      yield* changes;
      if (has_more && next === this.position) {
        throw new RosterClientError('malformed_answer', `the history does not advance from ${next}`);
      }
      this.position = next;
      if (!has_more) return;
    }
  }
}
