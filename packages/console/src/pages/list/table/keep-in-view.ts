/** By then, what stands above has come. */
const settleMs = 2_000;
const hands = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/** Scrolls the page to an element, again while the page takes shape, until the reader scrolls. */
export function keepInView(element: HTMLElement): void {
  const look = () => element.scrollIntoView({ block: 'nearest' });
  const observer = new ResizeObserver(look);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const hand of hands) removeEventListener(hand, stop);
  };
  const timer = setTimeout(stop, settleMs);
  for (const hand of hands) addEventListener(hand, stop, { passive: true });
  for (const each of [element, document.body]) observer.observe(each);
  look();
}
