/** The text of one record, or `bytes: undefined` for one that is longer than a record may be. */
export interface RecordText {
  readonly line: number;
  readonly bytes: Buffer | undefined;
}

/** Cuts a body that arrives in chunks into the texts of its records, holding at most one of them. */
export interface RecordSplitter {
  push(chunk: Buffer): Iterable<RecordText>;
  /** To be called once behind the last chunk. Throws `invalid_body` when the body is incomplete. */
  end(): Iterable<RecordText>;
}
