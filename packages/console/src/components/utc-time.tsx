import { formatBoth } from '../format/clock.ts';
import { formatTime } from '../format/format.ts';

/** A time in UTC to the second; on hover in the local zone too. */
export function UtcTime({ time }: { readonly time: string }) {
  const ms = Date.parse(time);
  return (
    <time className="text numeric" dateTime={time} title={Number.isNaN(ms) ? undefined : formatBoth(ms)}>
      {formatTime(time)}
    </time>
  );
}
