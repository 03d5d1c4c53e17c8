import { checkCount, refuseUnknownMembers } from '../check-argument.ts';
import { checkFormat, mediaTypes, type RecordFormat, recordFormats } from './record-format.ts';
import { type ConditionalOptions, conditionally, type RosterRequest } from './roster-request.ts';
import { isNothing, openWriteBody, type PatchInput } from './write-body.ts';

export interface WriteOptions extends ConditionalOptions {
  /** Format of text, bytes and streams; `ndjson` unless given. */
  readonly format?: RecordFormat | undefined;
  /** `replace` also removes every resource missing from the records. `merge` unless given. */
  readonly mode?: 'merge' | 'replace' | undefined;
  readonly dryRun?: boolean | undefined;
  /** How many resources a replace may remove. */
  readonly allowRemoval?: 'all' | number | undefined;
  /** How many changes a dry run lists. */
  readonly maxChanges?: number | undefined;
  /** Compression of bytes and streams: `gzip`, `deflate`, `br` or `zstd`. */
  readonly contentEncoding?: string | undefined;
}

export interface PatchOptions extends Omit<WriteOptions, 'mode' | 'allowRemoval'> {
  /** Format of text, bytes and streams; `ndjson` unless given. */
  readonly format?: 'ndjson' | 'json' | undefined;
}

const memberNames = [
  'format',
  'mode',
  'dryRun',
  'allowRemoval',
  'maxChanges',
  'contentEncoding',
  'ifRevision',
  'signal',
  'timeoutMs',
  'acceptLanguage',
];

export interface WriteRequest {
  readonly request: RosterRequest;
  /** The error that the input threw, if that made the request fail. */
  readonly failure: () => unknown;
}

export function writeRequest(path: string, input: PatchInput, options: WriteOptions): WriteRequest {
  refuseUnknownMembers('the options of write', options, memberNames);
  return bodyRequest('POST', path, input, options);
}

export function patchRequest(path: string, input: PatchInput, options: PatchOptions): WriteRequest {
  const known = memberNames.filter((name) => name !== 'mode' && name !== 'allowRemoval');
  refuseUnknownMembers('the options of patch', options, known);
  return bodyRequest('PATCH', path, input, options);
}

function bodyRequest(
  method: 'POST' | 'PATCH',
  path: string,
  input: PatchInput,
  options: WriteOptions,
): WriteRequest {
  const format = checkFormat(isNothing(input) ? 'json' : (options.format ?? 'ndjson'), recordFormats);
  const { contentEncoding, timeoutMs = 0 } = options;
  const { body, canRepeat, failure } = openWriteBody(input, format);
  // A dry run changes nothing, so it can be repeated even with a required revision.
  const condition = conditionally(options);
  const request: RosterRequest = {
    method,
    path,
    search: encodeWriteOptions(options),
    headers: {
      ...condition.headers,
      'Content-Type': mediaTypes[format],
      ...(contentEncoding === undefined ? {} : { 'Content-Encoding': contentEncoding }),
    },
    body,
    options: { ...options, timeoutMs },
    canRepeat: canRepeat && (condition.canRepeat || options.dryRun === true),
  };
  return { request, failure };
}

function encodeWriteOptions({ mode, dryRun, allowRemoval, maxChanges }: WriteOptions): URLSearchParams {
  const parameters = new URLSearchParams();
  if (mode !== undefined) parameters.append('mode', mode);
  if (dryRun !== undefined) parameters.append('dry_run', String(dryRun));
  if (allowRemoval !== undefined) {
    const allowance = allowRemoval === 'all' ? allowRemoval : checkCount('allowRemoval', allowRemoval);
    parameters.append('allow_removal', String(allowance));
  }
  if (maxChanges !== undefined)
    parameters.append('max_changes', String(checkCount('maxChanges', maxChanges)));
  return parameters;
}
