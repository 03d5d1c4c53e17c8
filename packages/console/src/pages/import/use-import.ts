import type { Plan, StationAddress, WriteOptions, WriteResult } from '@roster/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useStation } from '../../api/api.tsx';
import { connect } from '../../api/connect.ts';
import { createUploadFetch, type Sent } from '../../api/upload-fetch.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { readFileFormat } from './record-file.ts';

/** How many changes a plan lists. */
const maxChanges = 500;

export type Mode = 'merge' | 'replace';

export interface FileToImport {
  readonly file: File;
  readonly mode: Mode;
}

/** Plans a file, and applies exactly that plan. */
export function useImport(address: StationAddress) {
  const { language } = usePreferences();
  const queries = useQueryClient();
  const [sent, setSent] = useState<Sent>();
  const send = async ({ file, mode }: FileToImport, options: WriteOptions) => {
    const client = connect(language, { retries: 0, fetch: createUploadFetch(setSent) });
    setSent({ bytes: 0, total: file.size });
    const bytes = new Uint8Array(await file.arrayBuffer());
    return client.station(address).manage.write(bytes, { ...readFileFormat(file.name)!, mode, ...options });
  };
  const plan = useMutation({
    mutationFn: (given: FileToImport) => send(given, { dryRun: true, maxChanges }) as Promise<Plan>,
  });
  const write = useMutation({
    mutationFn: ({ planned, ...given }: FileToImport & { readonly planned: Plan }) => {
      // Confirming the plan allows the removals it shows, and no more.
      const removal = given.mode === 'replace' ? { allowRemoval: planned.removed } : {};
      return send(given, { ifRevision: planned.revision, ...removal }) as Promise<WriteResult>;
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  const { manage, path } = useStation(address);
  const known = useQuery({
    queryKey: ['station', path],
    queryFn: ({ signal }) => manage.get({ signal }),
  });
  const create = useMutation({ mutationFn: () => manage.create() });
  return { known, plan, write, create, sent };
}
