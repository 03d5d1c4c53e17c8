/** Flags by the wire name of what they set. */
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
  resource_display_name_prefix: '--prefix',
  'If-Match': '--if-revision',
  'Accept-Language': '--language',
};

/** The flag that sets a parameter named by a server, if any. */
export function flagOfParameter(parameter: string | undefined): string | undefined {
  return parameter !== undefined && Object.hasOwn(flagOf, parameter) ? flagOf[parameter] : undefined;
}

/** The server's message on a refused removal, with flags instead of wire names. */
export function explainRemoval(detail: string): string {
  return detail
    .replace('to allow it, send', 'to allow it, pass')
    .replaceAll('allow_removal=', '--allow-removal ');
}

/** The same for a dry run, which never writes. */
export function explainPlannedRemoval(detail: string): string {
  return explainRemoval(detail.replace(/^nothing was written: /, ''));
}
