import { parseStationAddress, type Station } from '@roster/client';
import { useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { importHref } from '../../navigation/route.ts';

const firstShown = 12;
const moreShown = 60;

/** Stations to import into, found by any part of their names. */
export function KnownStations({ stations }: { readonly stations: readonly Station[] }) {
  const { import: words, common } = useMessages();
  const [wanted, setWanted] = useState('');
  const [shown, setShown] = useState(firstShown);
  const found = stations
    .map(({ station }) => ({ station, address: parseStationAddress(station) }))
    .filter(({ address }) => Object.values(address).join(' / ').toLowerCase().includes(wanted.toLowerCase()));
  return (
    <section className="card stack" aria-label={words.knownStation}>
      <h2>{words.knownStation}</h2>
      <div className="field search">
        <Icon name="search" />
        <input
          type="search"
          value={wanted}
          placeholder={words.findStation}
          aria-label={words.findStation}
          onChange={({ target }) => setWanted(target.value)}
        />
      </div>
      <ul className="known-stations">
        {found.slice(0, shown).map(({ station, address }) => (
          <li key={station}>
            <Link href={importHref(address)}>
              <Text value={address.name} className="strong" />{' '}
              <Text
                className="quiet"
                value={`${address.subscription} / ${address.resourceGroup} / ${address.zone}`}
              />
            </Link>
          </li>
        ))}
      </ul>
      {found.length > shown && (
        <button type="button" className="text-button" onClick={() => setShown(shown + moreShown)}>
          {common.more}
        </button>
      )}
    </section>
  );
}
