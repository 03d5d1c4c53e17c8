/** What had the focus when each step of the history was left, as a selector. */
const left = new Map<string, string>();
const mostKept = 200;
const lookEveryMs = 50;
const longestMs = 4_000;

let stop: () => void = () => undefined;

/** Called before a step of the history is left for a new one. */
export function rememberFocus(entry: string): void {
  stop();
  const selector = selectorOf(document.activeElement);
  left.delete(entry);
  if (selector !== undefined) left.set(entry, selector);
  const [oldest] = left.keys();
  if (left.size > mostKept && oldest !== undefined) left.delete(oldest);
}

/** Rows come and go with scrolling, so the list has the focus for all of them. */
function selectorOf(element: Element | null): string | undefined {
  const list = element?.closest('[role=grid]');
  if (list) return `#${list.id}`;
  const href = element?.closest('main') && element.getAttribute('href');
  return href ? `main a[href="${CSS.escape(href)}"]` : undefined;
}

/**
 * Called after going back. What had the focus may not be there before its data is; it is waited for until the reader
 * does something else.
 */
export function restoreFocus(entry: string): void {
  stop();
  const selector = left.get(entry);
  if (selector === undefined) return;
  const untilMs = Date.now() + longestMs;
  const timer = setInterval(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    const found = isFree ? document.querySelector<HTMLElement>(selector) : null;
    found?.focus();
    if (found !== null || Date.now() > untilMs) stop();
  }, lookEveryMs);
  stop = () => {
    clearInterval(timer);
    removeEventListener('keydown', stop);
    removeEventListener('pointerdown', stop);
  };
  addEventListener('keydown', stop);
  addEventListener('pointerdown', stop);
}
