import type { StagedRecord } from '@roster/engine';

export const stagedColumns = [
  'position',
  'line',
  'column_number',
  'resource_id',
  'name',
  'display_name',
  'type_key',
  'product',
  'alertable',
  'state',
  'sku',
  'gpu_model',
  'alert_rules_count',
  'create_time',
] as const;

/** A staged record as a line of COPY's text format, with the columns of `stagedColumns`. */
export function copyLine(position: number, { line, column, record }: StagedRecord): string {
  return (
    `${position}\t${line}\t${column ?? absent}\t${copyText(record.resourceId)}\t${copyText(record.name)}` +
    `\t${copyText(record.displayName)}\t${copyText(record.typeKey)}\t${copyText(record.product)}` +
    `\t${record.alertable ?? absent}\t${copyText(record.state)}\t${copyText(record.sku)}` +
    `\t${copyText(record.gpuModel)}\t${record.alertRulesCount ?? absent}\t${copyText(record.createTime)}\n`
  );
}

const absent = '\\N';
const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function copyText(text: string | undefined): string {
  if (text === undefined) return absent;
  return special.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character]!) : text;
}
