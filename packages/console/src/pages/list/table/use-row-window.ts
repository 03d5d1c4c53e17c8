import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type ListPlace, recallPlace, rememberPlace } from '../../../navigation/list-place.ts';
import { useEntry } from '../../../navigation/location.ts';
import { keepInView } from './keep-in-view.ts';
import { RowWindow } from './row-window.ts';
import { useViewport } from './use-viewport.ts';

/** Extra rows rendered above and below the viewport. */
const overscan = 5;
const headHeight = 34;
/** Rows within it are well in view on the smallest page. */
const surelySeen = 240;

/** Visible rows, the active row and keyboard navigation. */
export function useRowWindow(total: number, rowHeight: number, isLoaded: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const seen = useViewport(scroller);
  const viewport = { scrollTop: seen.scrollTop, height: Math.max(0, seen.height - headHeight) };
  const rowWindow = useMemo(() => new RowWindow(total, rowHeight), [total, rowHeight]);
  const [active, setActive] = useState(() => recallPlace().active);
  const inView = rowWindow.rows(viewport);
  const show = (row: number) => {
    setActive(row);
    scroller.current!.scrollTop = rowWindow.scrollTo(row, viewport);
  };
  /** Shows a row while the page is still taking shape, so wherever the table will end. */
  const reveal = (row: number) => {
    const height = Math.min(viewport.height, surelySeen);
    setActive(row);
    scroller.current!.scrollTop = rowWindow.scrollTo(row, { ...viewport, height });
    keepInView(scroller.current!);
  };
  const moveBy = (key: string): boolean => {
    const page = Math.max(1, inView.last - inView.first - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const edges: Record<string, number> = { Home: 0, End: total - 1 };
    const wanted = edges[key] ?? active + (steps[key] ?? Number.NaN);
    if (Number.isNaN(wanted)) return false;
    show(Math.min(Math.max(wanted, 0), total - 1));
    return true;
  };
  const toTop = useCallback(() => {
    setActive(0);
    scroller.current!.scrollTo(0, 0);
  }, []);
  usePlaceMemory(scroller, { scrollTop: seen.scrollTop, active }, isLoaded);
  return {
    scroller,
    viewport,
    rowWindow,
    first: Math.max(0, inView.first - overscan),
    last: Math.min(total - 1, inView.last + overscan),
    isAtTop: seen.scrollTop < rowHeight,
    active,
    setActive,
    reveal,
    moveBy,
    toTop,
  };
}

/** Going back returns to the rows that were shown, and to the active one. */
function usePlaceMemory(
  scroller: { readonly current: HTMLElement | null },
  { scrollTop, active }: ListPlace,
  isLoaded: boolean,
): void {
  const entry = useEntry();
  const recalled = useRef(false);
  useEffect(() => {
    if (!isLoaded || recalled.current) return;
    recalled.current = true;
    const { scrollTop: before } = recallPlace();
    if (before > 0 && scroller.current !== null) scroller.current.scrollTop = before;
  }, [isLoaded, scroller]);
  useEffect(() => {
    if (recalled.current) rememberPlace(entry, { scrollTop, active });
  }, [scrollTop, active, entry]);
}
