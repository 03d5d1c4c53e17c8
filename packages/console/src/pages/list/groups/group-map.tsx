import { formatCount } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { Link } from '../../../navigation/link.tsx';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { Group } from './group-query.ts';
import { heat } from './heat.ts';
import { squarify } from './treemap.ts';

const mostTiles = 40;
/** In percent of the picture, whose shape this is. */
const shape = { x: 0, y: 0, width: 100, height: 28 };

interface GroupMapProps {
  readonly groups: readonly Group[];
  readonly nameOf: (value: string) => string;
  readonly hrefOf: (value: string) => string;
}

/** A treemap: the area is the number of resources, the colour the share that fires. The table has the same figures. */
export function GroupMap({ groups, nameOf, hrefOf }: GroupMapProps) {
  const { groups: words } = useMessages();
  const { language } = usePreferences();
  const count = (value: number) => formatCount(value, language);
  const shown = groups.slice(0, mostTiles);
  const tiles = squarify(
    shown.map(({ total }) => total),
    shape,
  );
  return (
    <figure className="treemap">
      <div className="treemap-tiles">
        {shown.map(({ value, total, firing }, at) => {
          const { x, y, width, height } = tiles[at]!;
          const share = words.firingOf(count(firing), count(total));
          return (
            <Link
              key={value}
              href={hrefOf(value)}
              className={`treemap-tile ${heat(firing, total)}`}
              title={`${nameOf(value)}: ${share}`}
              style={{
                left: `${x}%`,
                top: `${(y / shape.height) * 100}%`,
                width: `${width}%`,
                height: `${(height / shape.height) * 100}%`,
              }}
            >
              <bdi className="text">{nameOf(value)}</bdi>{' '}
              <span className="numeric">
                {firing > 0 ? words.totalAndFiring(count(total), count(firing)) : count(total)}
              </span>
            </Link>
          );
        })}
      </div>
      <figcaption className="quiet">{words.mapHelp}</figcaption>
    </figure>
  );
}
