import { parseBoolean } from '../query/parse-parameter.ts';
import { QueryParameters } from '../query/query-parameters.ts';
import { rosterParameterNames } from '../query/roster-parameters.ts';

export function parseRevokeQuery(search: string): { readonly cascade: boolean } {
  const given = new QueryParameters(search, rosterParameterNames.revokeToken, { mayBeEmpty: false });
  return { cascade: parseBoolean('cascade', given.one('cascade')) ?? false };
}
