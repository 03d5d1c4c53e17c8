import { Readable } from 'node:stream';
import { byPreference, type ExportFormat, exportFormats, parseExportQuery } from '@roster/contract';
import type { Engine } from '@roster/engine';
import type { FastifyInstance } from 'fastify';
import { exportChunks } from '../export/export-chunks.ts';
import type { Rendition } from './rendition.ts';
import { route, searchOf } from './route.ts';
import { isNotModified, readStation, setHeaders } from './station-reading.ts';

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  json: 'application/json',
};

export function registerExportRoute(app: FastifyInstance, engine: Engine): void {
  route(app, 'exportResources', async (request, reply) => {
    const { filters, format = acceptedFormat(request.headers.accept) } = parseExportQuery(searchOf(request));
    const { address, snapshot, labels, rendition } = await readStation(request, engine);
    const headers = exportHeaders(rendition, format);
    setHeaders(reply, headers);
    if (isNotModified(request, headers)) return reply.code(304).send();
    reply.type(`${mediaTypes[format]}; charset=utf-8`);
    reply.header('Content-Disposition', attachment(`${address.name}.${format}`));
    const rows = {
      snapshot,
      selection: snapshot.select(filters),
      overrides: rendition.overrides,
      labelOf: (typeKey: string) => labels.labelOf(typeKey, rendition.locale),
    };
    const chunks = request.method === 'HEAD' ? [] : exportChunks(rows, format);
    return reply.send(Readable.from(chunks, { objectMode: false }));
  });
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
function exportHeaders({ headers, etag }: Rendition, format: ExportFormat): string[] {
  return headers.map((text, at) => {
    if (text === etag) return `${etag.slice(0, -1)}-${format}"`;
    return headers[at - 1] === 'Vary' ? `Accept, ${text}` : text;
  });
}

function attachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
