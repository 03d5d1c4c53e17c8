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
}

export interface View<Row> {
  readonly columns: readonly Column<Row>[];
  /** What `-o name` prints. */
  readonly nameOf: (row: Row) => string;
  /** Message instead of an empty table. */
  readonly nothing: string;
}
