import { Icon } from '../../../components/icon.tsx';
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
              <span className="visually-hidden">{`${nameOf(value)}: ${share}`}</span>
              <bdi className="text" aria-hidden="true">
                {nameOf(value)}
              </bdi>
              {firing > 0 && (
                <span className="tile-firing numeric" aria-hidden="true">
                  <Icon name="alert" /> <span className="tile-count">{count(firing)}</span>{' '}
                  <span className="tile-word">{words.firing}</span>
                </span>
              )}
              <span className="tile-total numeric" aria-hidden="true">
                {words.resources(total, count(total))}
              </span>
            </Link>
          );
        })}
      </div>
      <figcaption className="quiet">{words.mapHelp}</figcaption>
    </figure>
  );
}
