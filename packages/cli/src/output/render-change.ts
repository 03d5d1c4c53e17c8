import type { ChangeView, FieldDifference } from '@roster/client';
import { escapeUnprintable } from '../terminal/escape-unprintable.ts';
import type { Paint, Style } from '../terminal/paint.ts';

const marks: Readonly<Record<ChangeView['change'], readonly [mark: string, style: Style]>> = {
  created: ['+', 'green'],
  updated: ['~', 'yellow'],
  removed: ['-', 'red'],
};

/** A line for the resource, and one per changed field. */
export function renderChange(change: ChangeView, paint: Paint): string[] {
  const [mark, style] = marks[change.change];
  const { display_name: name, resource_type: type } = change.resource;
  const title = escapeUnprintable(`${mark} ${name}  ${change.resource_id}  ${type.key}`);
  const fields = Object.entries(change.fields ?? {});
  const width = Math.max(0, ...fields.map(([field]) => field.length));
  return [
    paint(style, title),
    ...fields.map(([field, { before, after }]) => {
      const values = `${paint('red', showValue(before))} → ${paint('green', showValue(after))}`;
      return `    ${escapeUnprintable(field).padEnd(width)}  ${values}`;
    }),
  ];
}

/** All fields on one line, for a table. */
export function summariseFields(fields: ChangeView['fields'] = {}): string {
  return Object.entries(fields)
    .map(([field, { before, after }]) => `${field} ${showValue(before)} → ${showValue(after)}`)
    .join(', ');
}

function showValue(value: FieldDifference['before']): string {
  return value === ''
    ? '(empty)'
    : escapeUnprintable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
