import { StateMark, useStateName } from '../../components/state-mark.tsx';
import { formatBeside, formatBoth, formatClock, formatMinute, formatZone } from '../../format/clock.ts';
import { stateTone } from '../../format/state.ts';
import { useMessages } from '../../messages/messages.ts';
import type { Span, StripPart } from './state-strip.ts';

const minuteMs = 60_000;

interface StateStripViewProps {
  readonly parts: readonly StripPart[];
  readonly span: Span;
}

/** The last 24 hours as a strip, and in words. */
export function StateStripView({ parts, span }: StateStripViewProps) {
  const { resource: words } = useMessages();
  const stateName = useStateName();
  const wholeMs = span.toMs - span.fromMs;
  const isBrief = parts.some(({ fromMs, toMs }) => toMs - fromMs < minuteMs);
  const formatTimeOfDay = isBrief ? formatClock : formatMinute;
  /** The first part may have begun before, and the last one goes on. */
  const timeOf = (fromMs: number, toMs: number) => {
    const [from, to] = [fromMs, toMs].map((ms) => formatBeside(ms, span.toMs, formatTimeOfDay));
    if (fromMs > span.fromMs && toMs < span.toMs) {
      return `${from} – ${formatBeside(toMs, fromMs, formatTimeOfDay)}`;
    }
    if (fromMs > span.fromMs) return words.since(from!);
    return toMs < span.toMs ? words.until(to!) : words.allDay;
  };
  return (
    <figure className="state-strip">
      <div className="share-bar" role="img" aria-label={words.strip}>
        {parts.map(({ state, fromMs, toMs }) => (
          <span
            key={fromMs}
            className={state === undefined ? 'trend-hatch' : `fill-${toneOf(state)}`}
            style={{ flexGrow: (toMs - fromMs) / wholeMs }}
            title={`${state === undefined ? words.absent : stateName(state)}\n${bothEnds(fromMs, toMs)}`}
          />
        ))}
      </div>
      <p className="strip-ends quiet numeric" aria-hidden="true">
        <span>{formatBeside(span.fromMs, span.toMs)}</span>
        <span>{formatMinute(span.toMs)}</span>
      </p>
      <ol className="strip-parts">
        {parts.toReversed().map(({ state, fromMs, toMs }) => (
          <li key={fromMs}>
            <span className="numeric quiet" title={bothEnds(fromMs, toMs)}>
              {timeOf(fromMs, toMs)}
            </span>
            {state === undefined ? (
              <span className="state-mark quiet">
                <span className="swatch trend-hatch" aria-hidden="true" /> {words.absent}
              </span>
            ) : (
              <StateMark state={state} />
            )}
          </li>
        ))}
      </ol>
      <figcaption className="quiet">{words.zone(formatZone(span.toMs))}</figcaption>
    </figure>
  );
}

const bothEnds = (fromMs: number, toMs: number) => `${formatBoth(fromMs)} –\n${formatBoth(toMs)}`;
const toneOf = (state: string) => (stateTone(state) === 'inactive' ? 'neutral' : stateTone(state));
