import type { Style } from '../terminal/paint.ts';

export type Scalar = string | number | boolean;

/** One column of the output. */
export interface Column<Row> {
  /** As `--columns` and `--sort` take it. */
  readonly name: string;
  readonly header: string;
  readonly value: (row: Row) => Scalar;
  /** What a table shows instead of the value. */
  readonly show?: (row: Row) => string;
  readonly style?: (row: Row) => Style | undefined;
  /** Only with `-o wide`. */
  readonly isWide?: boolean;
  /** Left out of a table before other columns are cut, if the terminal is narrow. */
  readonly isSpare?: boolean;
  /** Cut in the middle, not at the end: for paths. */
  readonly isPath?: boolean;
  /** Only if some row has a value; on a terminal it is a line of its own below the row. */
  readonly isNote?: boolean;
}

export interface View<Row> {
  readonly columns: readonly Column<Row>[];
  /** What `-o name` prints. */
  readonly nameOf: (row: Row) => string;
  /** Message instead of an empty table. */
  readonly nothing: string;
  /** A line across the table that a row has instead of its cells. */
  readonly lineInstead?: (row: Row) => string | undefined;
  /** Settles once the styles are known; a table waits for it. */
  readonly styled?: Promise<void>;
}
