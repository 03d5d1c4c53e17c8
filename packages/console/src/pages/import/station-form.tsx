import type { Station, StationAddress } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { useSession } from '../../api/session.ts';
import { useMessages } from '../../messages/messages.ts';
import { KnownStations } from './known-stations.tsx';

const names = ['subscription', 'resourceGroup', 'zone', 'name'] as const;
const members: Readonly<Record<keyof StationAddress, keyof Station>> = {
  subscription: 'subscription_name',
  resourceGroup: 'resource_group_name',
  zone: 'zone',
  name: 'telemetry_station_name',
};

interface StationFormProps {
  readonly onChoose: (address: StationAddress) => void;
}

/** The station to import into: one that exists, or a new one. */
export function StationForm({ onChoose }: StationFormProps) {
  const client = useClient();
  const session = useSession();
  const { data } = useQuery({
    queryKey: ['stations', 'proposed'],
    queryFn: ({ signal }) => client.manage.stations({ size: 1000 }, { signal }),
  });
  if (data === undefined) return <span className="skeleton" />;
  return (
    <>
      {data.stations.length > 0 && <KnownStations stations={data.stations} />}
      {session.may('create_stations') && <NewStation stations={data.stations} onChoose={onChoose} />}
    </>
  );
}

interface NewStationProps extends StationFormProps {
  readonly stations: readonly Station[];
}

/** Its four names, with those that others have as suggestions. */
function NewStation({ stations, onChoose }: NewStationProps) {
  const { import: words, stations: labels, common } = useMessages();
  const [address, setAddress] = useState<StationAddress>({
    subscription: '',
    resourceGroup: '',
    zone: '',
    name: '',
  });
  const proposals = (name: keyof StationAddress) => [
    ...new Set(stations.map((station) => String(station[members[name]]))),
  ];
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(address);
      }}
    >
      <h2>{words.newStation}</h2>
      <div className="four-fields">
        {names.map((name) => (
          <label key={name}>
            <span>{name === 'name' ? labels.station : labels[name]}</span>
            <input
              required
              maxLength={256}
              list={`known-${name}`}
              value={address[name]}
              onChange={({ target }) => setAddress({ ...address, [name]: target.value })}
            />
            <datalist id={`known-${name}`}>
              {proposals(name).map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </label>
        ))}
      </div>
      <div className="actions">
        <button type="submit" className="button primary">
          {common.next}
        </button>
      </div>
    </form>
  );
}
