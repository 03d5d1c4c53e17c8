import { formatCount } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { Link } from '../../../navigation/link.tsx';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { Group } from './group-query.ts';
import { heat } from './heat.ts';

interface RackMapProps {
  readonly groups: readonly Group[];
  readonly hrefOf: (value: string) => string;
}

/** Racks side by side, in the order of their names, as one walks past them. The table has the same figures. */
export function RackMap({ groups, hrefOf }: RackMapProps) {
  const { groups: words } = useMessages();
  const { language } = usePreferences();
  const count = (value: number) => formatCount(value, language);
  const byName = new Intl.Collator(language, { numeric: true });
  const racks = groups.toSorted((a, b) => byName.compare(a.value, b.value));
  return (
    <figure className="treemap">
      <div className="rack-map">
        {racks.map(({ value, total, firing, pending, other, suppressed }) => (
          <Link
            key={value}
            href={hrefOf(value)}
            className={`rack ${heat(firing, total)}`}
            title={words.firingOf(count(firing), count(total))}
          >
            <bdi className="text strong">{value}</bdi>{' '}
            <span className="numeric">{words.resources(total, count(total))}</span>{' '}
            {firing > 0 && <span className="numeric">{words.firingCount(count(firing))}</span>}{' '}
            {pending > 0 && <span className="numeric">{words.pendingCount(count(pending))}</span>}{' '}
            {other > 0 && <span className="numeric">{words.otherCount(count(other))}</span>}{' '}
            {suppressed > 0 && <span className="numeric">{words.suppressedCount(count(suppressed))}</span>}
          </Link>
        ))}
      </div>
      <figcaption className="quiet">{words.rackHelp}</figcaption>
    </figure>
  );
}
