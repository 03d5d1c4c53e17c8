import type { StagedRecord } from '@roster/engine';
import { stagedColumns } from '../shared/resource-columns.ts';

/** The columns of a line of `copyLine`. */
export const copiedColumns = ['position', ...stagedColumns] as const;

/** A staged record as a line of COPY's text format, with the columns of `copiedColumns`. */
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
