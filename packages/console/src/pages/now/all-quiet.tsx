import { useAreSourcesUp, useUntiedAlerts } from '../../api/sources.ts';
import { Icon } from '../../components/icon.tsx';
import { formatCount } from '../../format/format.ts';
import { sortedStates, stateTone } from '../../format/state.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import type { Alerts } from './use-alerts.ts';
import type { Coverage } from './use-coverage.ts';

interface AllQuietProps {
  readonly alerts: Alerts;
  /** Undefined while loading. */
  readonly coverage: Coverage | undefined;
}

/** Nothing fires. Whether that is good news depends on how much is watched. */
export function AllQuiet({ alerts, coverage }: AllQuietProps) {
  const { now: words } = useMessages();
  const { language } = usePreferences();
  const hasOthers = sortedStates(alerts.states).some(([state]) => stateTone(state) !== 'inactive');
  const areUp = useAreSourcesUp();
  const isKnown = useUntiedAlerts() === 0 && areUp;
  const isWatched = coverage !== undefined && coverage.uncovered === 0 && coverage.alertable > 0;
  const isCalm = isKnown && isWatched && !hasOthers;
  return (
    <section className="empty all-quiet">
      <h2 className={isCalm ? 'tone-inactive' : undefined}>
        {isCalm && <Icon name="check" />} {isKnown ? words.quiet : words.quietAsFarAsKnown}
      </h2>
      {coverage !== undefined && coverage.uncovered > 0 && (
        <p>{words.quietBut(coverage.uncovered, formatCount(coverage.uncovered, language))}</p>
      )}
      {coverage?.alertable === 0 && <p>{words.nothingWatched}</p>}
      {isCalm && <p className="quiet">{words.allWatched}</p>}
    </section>
  );
}
