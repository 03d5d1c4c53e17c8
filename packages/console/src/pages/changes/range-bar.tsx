import { type FormEvent, useState } from 'react';
import { toLocalInput } from '../../format/clock.ts';
import { useMessages } from '../../messages/messages.ts';
import type { ChangesView } from '../../navigation/changes-search.ts';
import { Link } from '../../navigation/link.tsx';
import { rangeNames, type TimeRange } from '../../navigation/time-range.ts';

interface RangeBarProps {
  readonly range: ChangesView['range'];
  /** What the range comes to now. */
  readonly span: TimeRange;
  readonly hrefOf: (range: ChangesView['range']) => string;
  readonly onChoose: (range: TimeRange) => void;
}

/** Which time the page is about. */
export function RangeBar({ range, span, hrefOf, onChoose }: RangeBarProps) {
  const { past: words } = useMessages();
  const isFixed = typeof range !== 'string';
  const [isOpen, setOpen] = useState(isFixed);
  return (
    <div className="range-bar">
      <nav aria-label={words.range} className="range-names">
        {rangeNames.map((name) => (
          <Link
            key={name}
            className={name === range ? 'button accent' : 'button'}
            aria-current={name === range ? 'true' : undefined}
            href={hrefOf(name)}
          >
            {words.ranges[name]}
          </Link>
        ))}
        <button
          type="button"
          className={isFixed ? 'button accent' : 'button'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {words.custom}
        </button>
      </nav>
      {isOpen && <CustomRange key={`${span.fromMs} ${span.toMs}`} span={span} onChoose={onChoose} />}
    </div>
  );
}

interface CustomRangeProps {
  readonly span: TimeRange;
  readonly onChoose: (range: TimeRange) => void;
}

/** Two times by the clock on the wall. */
function CustomRange({ span, onChoose }: CustomRangeProps) {
  const { past: words, filters } = useMessages();
  const [from, setFrom] = useState(span.fromMs === undefined ? '' : toLocalInput(span.fromMs));
  const [to, setTo] = useState(toLocalInput(span.toMs ?? Date.now()));
  const isBackwards = from !== '' && to !== '' && from >= to;
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (!isBackwards) onChoose({ fromMs: parsed(from), toMs: parsed(to) });
  };
  return (
    <form className="custom-range" onSubmit={apply}>
      <label>
        <span className="quiet">{words.from}</span>
        <input
          type="datetime-local"
          value={from}
          required
          onChange={(event) => setFrom(event.target.value)}
        />
      </label>
      <label>
        <span className="quiet">{words.to}</span>
        <input type="datetime-local" value={to} onChange={(event) => setTo(event.target.value)} />
      </label>
      <button type="submit" className="button primary" disabled={isBackwards}>
        {filters.apply}
      </button>
      {isBackwards && (
        <p className="wrong" role="alert">
          {words.backwards}
        </p>
      )}
    </form>
  );
}

/** Without a zone, a time is local. */
const parsed = (local: string) => (local === '' ? undefined : Date.parse(local));
