import type { SQLInputValue } from 'node:sqlite';
import type { ListQuery } from '@roster/contract';

export interface ListSql {
  readonly where: string;
  readonly values: readonly SQLInputValue[];
}

/** The WHERE clause of a query. Its text depends only on which filters are given, so statements are reused. */
export function buildListSql(stationId: number, query: ListQuery): ListSql {
  const conditions = ['station_id = ?'];
  const values: SQLInputValue[] = [stationId];
  const add = (condition: string, ...given: SQLInputValue[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (query.resourceIds) addChoice(add, 'resource_id', query.resourceIds);
  if (query.types) addChoice(add, 'type_key', query.types);
  if (query.product !== undefined) add('product = ?', query.product);
  if (query.alertableOnly) add('alertable = 1');
  if (query.displayNamePrefix !== undefined) {
    add(
      'display_name >= ? AND display_name < ?',
      query.displayNamePrefix,
      `${query.displayNamePrefix}\u{10ffff}`,
    );
  }
  return { where: conditions.join(' AND '), values };
}

function addChoice(
  add: (condition: string, ...values: SQLInputValue[]) => void,
  column: string,
  choices: readonly string[],
): void {
  if (choices.length === 1) add(`${column} = ?`, choices[0]!);
  else add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(choices));
}
