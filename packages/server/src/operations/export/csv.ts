import { neutraliseCell, type Resource } from '@roster/contract';

/** The fields in the order of `renderCsvRow`. */
export const csvHeader =
  'resource_id,name,display_name,resource_type,resource_type_label,product,alertable,state,' +
  'alert_rules_count,sku,gpu_model,create_time\r\n';

/** One line of CSV. Cells that a spreadsheet would run as a formula are neutralised. */
export function renderCsvRow(resource: Resource, label: string): string {
  const { typeKey, product, alertable, state, alertRulesCount, createTime } = resource;
  return (
    `${textCell(resource.resourceId)},${textCell(resource.name)},${textCell(resource.displayName)}` +
    `,${typeKey},${textCell(label)},${product},${alertable},${state},${alertRulesCount}` +
    `,${textCell(resource.sku)},${textCell(resource.gpuModel)},${createTime}\r\n`
  );
}

/** Most cells need neither quotes nor neutralising: one test finds them. */
const needsNothing = /^[A-Za-z0-9][^",\r\n]*(?<!\s)$/;

/** Leading and trailing blanks are quoted, because some readers trim unquoted cells. */
const needsQuotes = /[",\r\n]|^\s|\s$/;

function textCell(text: string): string {
  if (text === '' || needsNothing.test(text)) return text;
  const cell = neutraliseCell(text);
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
