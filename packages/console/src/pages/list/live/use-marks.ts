import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Turn } from './view-changes.ts';

const markedMs = 10_000;

interface Mark {
  readonly turn: Turn;
  readonly untilMs: number;
}

type Turns = ReadonlyMap<string, Turn>;

const none: ReadonlyMap<string, Mark> = new Map();

/** What has turned in the last seconds, by resource. What is older is forgotten, however much follows. */
export function useMarks(): readonly [turned: Turns, mark: (turned: Turns) => void] {
  const [marks, setMarks] = useState(none);
  const mark = useCallback((turned: Turns) => setMarks((before) => kept(before, turned)), []);
  useEffect(() => {
    const [oldest] = marks.values();
    if (oldest === undefined) return;
    const timer = setTimeout(
      () => setMarks((before) => kept(before, new Map())),
      oldest.untilMs - Date.now(),
    );
    return () => clearTimeout(timer);
  }, [marks]);
  const turned = useMemo(() => new Map([...marks].map(([id, { turn }]) => [id, turn])), [marks]);
  return [turned, mark];
}

/** The oldest first. */
function kept(before: ReadonlyMap<string, Mark>, turned: Turns): ReadonlyMap<string, Mark> {
  const nowMs = Date.now();
  const still = [...before].filter(([id, { untilMs }]) => untilMs > nowMs && !turned.has(id));
  const added = [...turned].map(([id, turn]) => [id, { turn, untilMs: nowMs + markedMs }] as const);
  return still.length + added.length === 0 ? none : new Map([...still, ...added]);
}
