/** Browsers stop laying out beyond about 17 million pixels. */
const maxHeight = 15_000_000;

export interface Viewport {
  readonly scrollTop: number;
  readonly height: number;
}

/**
 * The visible range among many rows of equal height. If the rows are taller than a browser can lay out, scrolling
 * is scaled, and every row stays reachable.
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

  /** Offset of the rows at `scrollTop`. */
  #offset({ scrollTop, height }: Viewport): number {
    const room = this.scrollHeight - height;
    return room <= 0 ? 0 : scrollTop * ((this.#total * this.#rowHeight - height) / room);
  }

  /** The visible rows, last one included. */
  rows(viewport: Viewport): { first: number; last: number } {
    const offset = this.#offset(viewport);
    const first = Math.floor(offset / this.#rowHeight);
    const last = Math.ceil((offset + viewport.height) / this.#rowHeight) - 1;
    return { first: Math.max(0, first), last: Math.min(this.#total - 1, last) };
  }

  /** Position of a row in the scrolled content. */
  top(row: number, viewport: Viewport): number {
    return viewport.scrollTop + row * this.#rowHeight - this.#offset(viewport);
  }

  /** The scroll position that shows a row; unchanged if it is visible. */
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
