import type { Resource } from '@roster/contract';
import { neutraliseCell } from '../ingest/spreadsheet-cell.ts';

const columns = {
  resource_id: ({ resourceId }) => resourceId,
  name: ({ name }) => name,
  display_name: ({ displayName }) => displayName,
  resource_type: ({ typeKey }) => typeKey,
  resource_type_label: (_, label) => label,
  product: ({ product }) => product,
  alertable: ({ alertable }) => String(alertable),
  state: ({ state }) => state,
  alert_rules_count: ({ alertRulesCount }) => String(alertRulesCount),
  sku: ({ sku }) => sku,
  gpu_model: ({ gpuModel }) => gpuModel,
  create_time: ({ createTime }) => createTime,
} as const satisfies Record<string, (resource: Resource, label: string) => string>;

const readers = Object.values(columns) as ((resource: Resource, label: string) => string)[];

export const csvHeader = `${Object.keys(columns).join(',')}\r\n`;

/** One line of CSV with all fields of a resource, which no spreadsheet takes for a formula. */
export function renderCsvRow(resource: Resource, label: string): string {
  let row = '';
  for (let at = 0; at < readers.length; at++) {
    if (at > 0) row += ',';
    row += renderCell(readers[at]!(resource, label));
  }
  return `${row}\r\n`;
}

function renderCell(text: string): string {
  const cell = neutraliseCell(text);
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Blanks at the ends are quoted because some readers trim what is not. */
const needsQuotes = /[",\r\n]|^\s|\s$/;
