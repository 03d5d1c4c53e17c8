import { checkCount, refuseUnknownMembers } from '../check-argument.ts';
import { type ConditionalOptions, conditionally, type OwnRequest } from './own-request.ts';
import { checkFormat, mediaTypes, type RecordFormat, recordFormats } from './record-format.ts';
import { isNothing, openWriteBody, type WriteInput } from './write-body.ts';

export interface WriteOptions extends ConditionalOptions {
  /** Of text, bytes and streams; `ndjson` unless given. */
  readonly format?: RecordFormat | undefined;
  /** `replace` also removes every resource that the records do not name. `merge` unless given. */
  readonly mode?: 'merge' | 'replace' | undefined;
  readonly dryRun?: boolean | undefined;
  /** How many resources a replace may remove. */
  readonly allowRemoval?: 'all' | number | undefined;
  /** How many changes a dry run shows in detail. */
  readonly maxChanges?: number | undefined;
  /** Of bytes and streams that are compressed: `gzip`, `deflate`, `br` or `zstd`. */
  readonly contentEncoding?: string | undefined;
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
  readonly request: OwnRequest;
  /** What the input threw, if that is why the request failed. */
  readonly failure: () => unknown;
}

export function writeRequest(path: string, input: WriteInput, options: WriteOptions): WriteRequest {
  refuseUnknownMembers('the options of write', options, memberNames);
  const format = checkFormat(isNothing(input) ? 'json' : (options.format ?? 'ndjson'), recordFormats);
  const { contentEncoding, timeoutMs = 0 } = options;
  const { body, canRepeat, failure } = openWriteBody(input, format);
  // A dry run depends on a revision without changing anything, so it may be sent again all the same.
  const condition = conditionally(options);
  const request: OwnRequest = {
    method: 'POST',
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
