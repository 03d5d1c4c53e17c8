import type { Station, StationAddress } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { useMessages } from '../../messages/messages.ts';

const names = ['subscription', 'resourceGroup', 'zone', 'name'] as const;
const members: Readonly<Record<keyof StationAddress, keyof Station>> = {
  subscription: 'subscription_name',
  resourceGroup: 'resource_group_name',
  zone: 'zone',
  name: 'telemetry_station_name',
};

/** The station to import into, with suggestions of existing names. */
export function StationForm({ onChoose }: { readonly onChoose: (address: StationAddress) => void }) {
  const { import: words, stations: labels, common } = useMessages();
  const client = useClient();
  const [address, setAddress] = useState<StationAddress>({
    subscription: '',
    resourceGroup: '',
    zone: '',
    name: '',
  });
  const { data } = useQuery({
    queryKey: ['stations', 'proposed'],
    queryFn: ({ signal }) => client.manage.stations({ size: 1000 }, { signal }),
  });
  const proposals = (name: keyof StationAddress) => [
    ...new Set(data?.stations.map((station) => String(station[members[name]]))),
  ];
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(address);
      }}
    >
      <p>{words.whichStation}</p>
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
