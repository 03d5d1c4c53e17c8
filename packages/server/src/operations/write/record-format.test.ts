import { describe, expect, it } from 'vitest';
import { recordFormat } from './record-format.ts';

describe('recordFormat', () => {
  it.each([
    ['application/x-ndjson', 'ndjson'],
    ['application/ndjson', 'ndjson'],
    ['application/jsonl', 'ndjson'],
    ['Application/JSON ; Charset="UTF-8"', 'json'],
    ['text/csv; charset=us-ascii; header=present', 'csv'],
    ['application/csv', 'csv'],
    ['application/yaml', 'yaml'],
    ['application/x-yaml', 'yaml'],
    ['text/yaml;charset=utf-8', 'yaml'],
    ['text/csv; charset=utf8', 'csv'],
    [`text/csv; charset='UTF8'`, 'csv'],
  ])('takes %s for %s', (contentType, format) => {
    expect(recordFormat(contentType)).toBe(format);
  });

  it.each([
    [undefined, 'got "none"'],
    ['', 'got ""'],
    [
      'text/plain',
      'Content-Type must be one of application/x-ndjson, application/ndjson, application/jsonl, ',
    ],
    ['constructor', 'got "constructor"'],
    ['text/csv; charset=utf-16', 'the charset of Content-Type must be utf-8, got "utf-16"'],
    ['application/json; charset="iso-8859-1"', 'got "iso-8859-1"'],
    ['application/json; charset=', 'got ""'],
  ])('refuses %s', (contentType, message) => {
    expect(() => recordFormat(contentType)).toThrow(
      expect.objectContaining({
        code: 'unsupported_media_type',
        parameter: 'Content-Type',
        message: expect.stringContaining(message),
      }),
    );
  });
});
