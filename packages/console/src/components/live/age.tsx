import { ageOf } from '../../format/age.ts';
import { formatBoth } from '../../format/clock.ts';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { useNow } from './use-now.ts';

/** How long ago a time was, kept current, with the time itself on hover. */
export function Age({ time }: { readonly time: string }) {
  const { ages } = useMessages();
  const { language } = usePreferences();
  const age = ageOf(time, useNow());
  return (
    <time className="text numeric" dateTime={time} title={formatBoth(Date.parse(time))}>
      {age.unit === 'now' ? ages.now : ages[age.unit](formatCount(age.count, language))}
    </time>
  );
}
