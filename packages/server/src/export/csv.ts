import { neutraliseCell, type Resource } from '@roster/contract';

/** All fields of a record, in the order of the rows that `renderCsvRow` writes. */
export const csvHeader =
  'resource_id,name,display_name,resource_type,resource_type_label,product,alertable,state,' +
  'alert_rules_count,sku,gpu_model,create_time\r\n';

/** One line of CSV with all fields of a resource, which no spreadsheet takes for a formula. */
export function renderCsvRow(resource: Resource, label: string): string {
  const { typeKey, product, alertable, state, alertRulesCount, createTime } = resource;
  return (
    `${textCell(resource.resourceId)},${textCell(resource.name)},${textCell(resource.displayName)}` +
    `,${typeKey},${textCell(label)},${product},${alertable},${state},${alertRulesCount}` +
    `,${textCell(resource.sku)},${textCell(resource.gpuModel)},${createTime}\r\n`
  );
}

/** Looking once spares most cells everything else. */
const needsNothing = /^[A-Za-z0-9][^",\r\n]*(?<!\s)$/;

/** Blanks at the ends are quoted because some readers trim what is not. */
const needsQuotes = /[",\r\n]|^\s|\s$/;

function textCell(text: string): string {
  if (text === '' || needsNothing.test(text)) return text;
  const cell = neutraliseCell(text);
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
