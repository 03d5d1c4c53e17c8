import type { Resource } from '@roster/contract';
import { resourceColumns } from '../shared/resource-columns.ts';

/**
 * The SQL of a row as a JSON array: of a row that may be missing, or that crosses between threads, one string is
 * easier than its columns.
 */
export function resourceAsJson(table: string): string {
  const columns = resourceColumns.split(', ').map((column) => `${table}.${column}`);
  return `json_array(${columns.join(', ')})`;
}

type ResourceRow = [
  resourceId: string,
  name: string,
  displayName: string,
  typeKey: string,
  product: string,
  alertable: number,
  state: string,
  sku: string,
  gpuModel: string,
  alertRulesCount: number,
  createTime: string,
];

export function parseResource(json: string): Resource {
  return toResource(JSON.parse(json));
}

/** As `parseResource`; what is missing stays so. */
export function parseOptionalResource(json: string | null): Resource | undefined {
  return json === null ? undefined : parseResource(json);
}

function toResource(row: ResourceRow): Resource {
  return {
    resourceId: row[0],
    name: row[1],
    displayName: row[2],
    typeKey: row[3],
    product: row[4],
    alertable: row[5] === 1,
    state: row[6],
    sku: row[7],
    gpuModel: row[8],
    alertRulesCount: row[9],
    createTime: row[10],
  };
}
