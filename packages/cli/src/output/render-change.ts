import type { ChangeView, FieldDifference } from '@roster/client';
import { escapeUnprintable } from '../terminal/escape-unprintable.ts';
import { showClock } from '../terminal/format-numbers.ts';
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

type Fields = ChangeView['fields'];
type Value = FieldDifference['before'];

/** All fields on one line, the state first. */
export function summariseFields(
  fields: Fields = {},
  show = (field: string, from: Value, to: Value) => `${field} ${showValue(from)} → ${showValue(to)}`,
): string {
  return stateFirst(fields)
    .map(([field, { before, after }]) => show(field, before, after))
    .join(', ');
}

/** The same for people: a new state has just begun, so its time says nothing new. */
export function showFields({ state_since, ...others }: NonNullable<Fields> = {}): string {
  const isOnlySince = state_since !== undefined && others.state === undefined;
  return summariseFields(isOnlySince ? { ...others, state_since } : others, showField);
}

function stateFirst({ state, ...others }: NonNullable<Fields>): [string, FieldDifference][] {
  return Object.entries(state === undefined ? others : { state, ...others });
}

/** As tables show it: states speak for themselves, without the prefix that all share, and times are short. */
function showField(field: string, before: Value, after: Value): string {
  const [from, to] = [before, after].map((value) => {
    if (typeof value !== 'string') return showValue(value);
    if (field === 'state') return showValue(showState(value));
    return showValue(field === 'state_since' ? showClock(value) : value);
  });
  return `${field === 'state' ? '' : `${field} `}${from} → ${to}`;
}

function showValue(value: FieldDifference['before']): string {
  return value === ''
    ? '(empty)'
    : escapeUnprintable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
