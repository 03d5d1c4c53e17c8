import type { ChangeView, FieldDifference } from '@roster/client';
import { escapeUnprintable } from '../terminal/escape-unprintable.ts';
import type { Paint, Style } from '../terminal/paint.ts';
import { showState } from './resource-view.ts';

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
export function summariseFields(
  fields: ChangeView['fields'] = {},
  show: ShowField = (_, value) => value,
): string {
  return Object.entries(fields)
    .map(([field, { before, after }]) => {
      const [from, to] = [before, after].map((value) => showValue(show(field, value)));
      return `${field} ${from} → ${to}`;
    })
    .join(', ');
}

type Value = FieldDifference['before'];
type ShowField = (field: string, value: Value) => Value;

/** As tables show it: states without the prefix that all share. */
export const showField: ShowField = (field, value) =>
  field === 'state' && typeof value === 'string' ? showState(value) : value;

function showValue(value: FieldDifference['before']): string {
  return value === ''
    ? '(empty)'
    : escapeUnprintable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
