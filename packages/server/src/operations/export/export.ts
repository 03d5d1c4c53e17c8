import {
  byPreference,
  type ExportFormat,
  exportFormats,
  inListOrder,
  parseExportQuery,
} from '@roster/contract';
import { searchSnapshot } from '@roster/engine';
import type { Handlers } from '../../http/answer.ts';
import { type Headers, matchesEtag } from '../../http/headers.ts';
import type { OperationOptions } from '../operation-options.ts';
import { type LocalisedSnapshot, readStation } from '../snapshot/localised-snapshot.ts';
import { exportChunks } from './export-chunks.ts';

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  json: 'application/json',
};

export function exportOperations({
  engine,
  heavyReads,
}: OperationOptions): Pick<Handlers, 'exportResources'> {
  return {
    async exportResources(exchange) {
      const read = heavyReads.begin(exchange);
      const { accept, 'if-none-match': ifNoneMatch } = exchange.request.headers;
      const { filters, format = acceptedFormat(accept) } = parseExportQuery(exchange.search);
      const { snapshot, labelOf, localised } = await readStation(exchange, engine);
      const headers = headersFor(localised, format);
      if (matchesEtag(ifNoneMatch, headers.ETag!)) return { status: 304, headers };
      const { overrides } = localised;
      const selection = await searchSnapshot(snapshot, inListOrder(filters), () => read.endingSlicer);
      const rows = { snapshot, selection, overrides, labelOf };
      return {
        headers: {
          ...headers,
          'Content-Type': `${mediaTypes[format]}; charset=utf-8`,
          'Content-Disposition': attachment(`${exchange.address!.name}.${format}`),
        },
        body: exportChunks(rows, format, read.slicer),
      };
    },
  };
}

/** The format that an Accept header prefers among ours. */
function acceptedFormat(accept = ''): ExportFormat {
  for (const type of byPreference(accept)) {
    const format = exportFormats.find((each) => mediaTypes[each] === type);
    if (format !== undefined) return format;
    if (type === '*/*') break;
  }
  return 'ndjson';
}

/** The formats of one snapshot are different representations, so their ETags differ. */
function headersFor({ headers, etag }: LocalisedSnapshot, format: ExportFormat): Headers {
  return { ...headers, ETag: `${etag.slice(0, -1)}-${format}"`, Vary: `Accept, ${headers.Vary}` };
}

function attachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
