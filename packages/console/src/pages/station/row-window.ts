/** Browsers stop laying out beyond about 17 million pixels. */
const maxHeight = 15_000_000;

export interface Viewport {
  readonly scrollTop: number;
  readonly height: number;
}

/**
 * Which of many rows of one height are in view. Where all rows together are taller than a browser can lay
 * out, scrolling is scaled: the last row is at the end all the same, and every row can be reached.
 */
export class RowWindow {
  readonly scrollHeight: number;
  readonly #rowHeight: number;
  readonly #total: number;

  constructor(total: number, rowHeight: number) {
    this.#total = total;
    this.#rowHeight = rowHeight;
    this.scrollHeight = Math.min(total * rowHeight, maxHeight);
  }

  /** How far the rows are moved when the view is scrolled to `scrollTop`. */
  #offset({ scrollTop, height }: Viewport): number {
    const room = this.scrollHeight - height;
    return room <= 0 ? 0 : scrollTop * ((this.#total * this.#rowHeight - height) / room);
  }

  /** The rows in view, the last one included. */
  rows(viewport: Viewport): { first: number; last: number } {
    const offset = this.#offset(viewport);
    const first = Math.floor(offset / this.#rowHeight);
    const last = Math.ceil((offset + viewport.height) / this.#rowHeight) - 1;
    return { first: Math.max(0, first), last: Math.min(this.#total - 1, last) };
  }

  /** Where a row lies inside what is scrolled. */
  top(row: number, viewport: Viewport): number {
    return viewport.scrollTop + row * this.#rowHeight - this.#offset(viewport);
  }

  /** Where to scroll so that a row is in view; where it is already when it is. */
  scrollTo(row: number, viewport: Viewport): number {
    const { scrollTop, height } = viewport;
    const top = row * this.#rowHeight;
    const offset = this.#offset(viewport);
    const wanted = Math.min(Math.max(offset, top + this.#rowHeight - height), top);
    if (wanted === offset) return scrollTop;
    const room = this.#total * this.#rowHeight - height;
    return room <= 0 ? 0 : (wanted / room) * (this.scrollHeight - height);
  }
}
