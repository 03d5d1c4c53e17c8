import type { RosterClient, StationAddress, StationClient } from '@roster/client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { usePreferences } from '../preferences/preferences.ts';
import { connect } from './connect.ts';

const ClientContext = createContext<RosterClient | undefined>(undefined);

/** Provides one client, which requests labels in the language of the console. */
export function ApiProvider({ children }: { readonly children: ReactNode }) {
  const { language } = usePreferences();
  const client = useMemo(() => connect(language), [language]);
  return <ClientContext value={client}>{children}</ClientContext>;
}

export function useClient(): RosterClient {
  return useContext(ClientContext)!;
}

export function useStation(address: StationAddress): StationClient {
  const client = useClient();
  return useMemo(() => client.station(address), [client, address]);
}
