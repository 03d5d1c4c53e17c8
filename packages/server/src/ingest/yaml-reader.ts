import { JsonReader } from './json-reader.ts';
import type { ListingPage } from './listing-page.ts';
import { placeAt } from './place.ts';
import type { ReadResult, RecordReader } from './record-reader.ts';
import { YamlListReader } from './yaml-list-reader.ts';

/** Lines that may stand before the content, and what the next line is indented with. */
const preamble = /^(?:[ \t\r]*(?:(?:#|%|---[ \t\r]*(?:#|$))[^\n]*)?\n)*[ \t]*/m;
const maxPreambleLength = 4096;

/**
 * Reads YAML. A body whose first significant character is a bracket or a brace is read as JSON, which then
 * has to stand behind no more than 4 KiB of comments.
 */
export class YamlReader implements RecordReader {
  readonly #maxRecordBytes: number;
  #start = '';
  #reader: RecordReader | undefined;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
  }

  get page(): ListingPage | undefined {
    return this.#reader?.page;
  }

  *push(text: string): Generator<ReadResult> {
    if (this.#reader !== undefined) yield* this.#reader.push(text);
    else {
      this.#start += text;
      yield* this.#begin(false);
    }
  }

  *end(): Generator<ReadResult> {
    if (this.#reader === undefined) yield* this.#begin(true);
    yield* this.#reader!.end();
  }

  /** Chooses the reader as soon as the first significant character cannot become part of `---`. */
  *#begin(isWhole: boolean): Generator<ReadResult> {
    const start = preamble.exec(this.#start)![0].length;
    const content = this.#start.slice(start);
    const isKnown = content !== '' && (!'-#%'.includes(content[0]!) || content.includes('\n'));
    if (!isKnown && !isWhole && this.#start.length <= maxPreambleLength) return;
    const isJson = start <= maxPreambleLength && (content[0] === '[' || content[0] === '{');
    const place = placeAt(this.#start, { line: 1, column: 1 }, start);
    this.#reader = isJson
      ? new JsonReader(this.#maxRecordBytes, place)
      : new YamlListReader(this.#maxRecordBytes);
    yield* this.#reader.push(isJson ? content : this.#start);
    this.#start = '';
  }
}
