import { StateMark, useStateName } from '../../components/state-mark.tsx';
import { formatBoth, formatMinuteBefore, formatZone } from '../../format/clock.ts';
import { stateTone } from '../../format/state.ts';
import { useMessages } from '../../messages/messages.ts';
import type { Span, StripPart } from './state-strip.ts';

interface StateStripViewProps {
  readonly parts: readonly StripPart[];
  readonly span: Span;
}

/** The last 24 hours as a strip, and in words. */
export function StateStripView({ parts, span }: StateStripViewProps) {
  const { resource: words, trends } = useMessages();
  const stateName = useStateName();
  const wholeMs = span.toMs - span.fromMs;
  return (
    <figure className="state-strip">
      <div className="share-bar" role="img" aria-label={words.strip}>
        {parts.map(({ state, fromMs, toMs }) => (
          <span
            key={fromMs}
            className={state === undefined ? 'trend-hatch' : `fill-${toneOf(state)}`}
            style={{ flexGrow: (toMs - fromMs) / wholeMs }}
            title={`${state === undefined ? trends.noData : stateName(state)}\n${bothEnds(fromMs, toMs)}`}
          />
        ))}
      </div>
      <p className="strip-ends quiet numeric" aria-hidden="true">
        <span>{words.dayAgo}</span>
        <span>{words.now}</span>
      </p>
      <ol className="strip-parts">
        {parts.toReversed().map(({ state, fromMs, toMs }) => (
          <li key={fromMs}>
            <span className="numeric quiet" title={bothEnds(fromMs, toMs)}>
              {formatMinuteBefore(fromMs, span.toMs)}–{formatMinuteBefore(toMs, span.toMs)}
            </span>
            {state === undefined ? (
              <span className="state-mark quiet">
                <span className="swatch trend-hatch" aria-hidden="true" /> {trends.noData}
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
