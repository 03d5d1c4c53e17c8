import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Viewport } from './row-window.ts';

/** The visible range of an element, updated at most once per frame. */
export function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ scrollTop: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    let frame = 0;
    const measure = () => {
      frame = 0;
      setViewport({ scrollTop: current.scrollTop, height: current.clientHeight });
    };
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    measure();
    const observer = new ResizeObserver(schedule);
    observer.observe(current);
    current.addEventListener('scroll', schedule, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      current.removeEventListener('scroll', schedule);
    };
  }, [element]);
  return viewport;
}
