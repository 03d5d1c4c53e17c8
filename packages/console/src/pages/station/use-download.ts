import {
  type ExportFormat,
  isRevisionExpired,
  type SearchFilters,
  type StationAddress,
} from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useStation } from '../../api/api.tsx';
import type { MenuChoice } from '../../components/menu-button.tsx';
import { saveFile } from '../../components/save-file.ts';
import { formatBytes } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';

interface DownloadOptions {
  readonly address: StationAddress;
  readonly filters: SearchFilters;
  readonly revision: string | undefined;
}

interface Download {
  readonly choices: readonly MenuChoice[];
  /** How far it is, or what went wrong. */
  readonly status: string | undefined;
}

/** Downloads all matches of the displayed snapshot. */
export function useDownload({ address, filters, revision }: DownloadOptions): Download {
  const { station: words } = useMessages();
  const station = useStation(address);
  const [received, setReceived] = useState(0);
  const download = useMutation({
    mutationFn: async (format: ExportFormat) => {
      setReceived(0);
      const exported = await station.manage.export(filters, { format, revision });
      const parts: BlobPart[] = [];
      let bytes = 0;
      for await (const part of exported.bytes()) {
        parts.push(part as Uint8Array<ArrayBuffer>);
        bytes += part.length;
        setReceived(bytes);
      }
      saveFile(new Blob(parts), `${address.name}.${format}`);
    },
  });
  const formats = ['csv', 'json', 'ndjson'] as const;
  const failure = isRevisionExpired(download.error) ? words.refreshFirst : download.error?.message;
  return {
    choices: formats.map((format) => ({
      id: format,
      label: format.toUpperCase(),
      onChoose: () => download.mutate(format),
    })),
    status: download.isPending ? formatBytes(received) : failure,
  };
}
