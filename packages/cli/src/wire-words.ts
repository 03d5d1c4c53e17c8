/** The flags that set what the wire calls by another name. */
const flagOf: Readonly<Record<string, string>> = {
  'page.size': '--page-size',
  'page.offset': '--offset',
  max_changes: '--limit',
  allow_removal: '--allow-removal',
  since: '--since',
  resource_types: '--type',
  resource_ids: '--id',
  resource_id: '--resource',
  product: '--product',
  display_name_prefix: '--prefix',
  'If-Match': '--if-revision',
  'Accept-Language': '--language',
};

/** The flag behind a parameter that a server names; undefined where no flag is. */
export function flagOfParameter(parameter: string | undefined): string | undefined {
  return parameter !== undefined && Object.hasOwn(flagOf, parameter) ? flagOf[parameter] : undefined;
}

/** What a server says of a removal that it refuses, in the words of the command. */
export function explainRemoval(detail: string): string {
  return detail.replaceAll('allow_removal=', '--allow-removal ');
}

/** The same of a plan, which writes nothing anyway. */
export function explainPlannedRemoval(detail: string): string {
  return explainRemoval(detail.replace(/^nothing was written: /, ''));
}
