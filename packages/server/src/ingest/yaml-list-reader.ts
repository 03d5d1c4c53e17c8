import { quote, RosterError } from '@roster/contract';
import { LineCutter } from './line-cutter.ts';
import { type ListingPage, parseListingPage } from './listing-page.ts';
import { type ReadResult, type RecordReader, unreadable } from './record-reader.ts';
import { isTooLong, tooLong } from './record-size.ts';
import { parseYamlLine, type YamlLine } from './yaml-line.ts';
import { parseYaml, readYamlRecord } from './yaml-record.ts';
import { YamlFault, YamlValues } from './yaml-value.ts';

/** Lines that belong together: an item of the list, or `page`. */
interface Block {
  readonly kind: 'item' | 'page';
  readonly line: number;
  readonly indent: number;
  text: string;
}

const emptyLists = ['', '[]', '~', 'null'];

/**
 * Reads a YAML list of records, or a listing: a mapping with such a list as `resources`, and `page`. It cuts
 * at the dashes of the list, so that each record is read on its own.
 */
export class YamlListReader implements RecordReader {
  page: ListingPage | undefined;
  readonly #maxRecordBytes: number;
  readonly #lines: LineCutter;
  readonly #names = new Set<string>();
  #line = 0;
  #part: 'start' | 'list' | 'listing' | 'end' = 'start';
  #hasBegun = false;
  #listingIndent = -1;
  #itemIndent: number | undefined;
  #block: Block | undefined;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#lines = new LineCutter(maxRecordBytes);
  }

  *push(text: string): Generator<ReadResult> {
    for (const line of this.#lines.push(text)) {
      if (line === '') this.#passEmptyLine();
      else yield* this.#readLine(line);
    }
  }

  *end(): Generator<ReadResult> {
    yield* this.#readLine(this.#lines.end());
    yield* this.#endBlock();
    if (this.#part === 'listing' && !this.#names.has('resources'))
      throw this.#invalidBody('it has no resources');
  }

  /** What `#readLine` would do, at a fraction of the cost. */
  #passEmptyLine(): void {
    this.#line++;
    this.#keep('');
  }

  *#readLine(text: string): Generator<ReadResult> {
    this.#line++;
    const line = parseYamlLine(text);
    const isInBlock = this.#block !== undefined && (line.kind === 'tab' || line.indent > this.#block.indent);
    if (line.kind === 'blank' || isInBlock) this.#keep(text);
    else {
      yield* this.#endBlock();
      yield* this.#readOutside(line);
    }
  }

  /** A line that begins something new, which is at the indentation of the list or of the listing. */
  *#readOutside(line: YamlLine): Generator<ReadResult> {
    if (this.#part === 'end') throw this.#invalidBody('a second document begins');
    if (line.kind === 'begin' || line.kind === 'end' || line.kind === 'directive') this.#mark(line);
    else if (line.kind === 'item' && this.#isItemIndent(line.indent)) this.#beginItem(line);
    else if (line.kind === 'member' && this.#isListingIndent(line.indent)) this.#beginMember(line);
    else if (this.#itemIndent === undefined) throw this.#invalidBody(`it has ${quote(line.text.trim())}`);
    else yield this.#strayLine(line);
  }

  #mark(line: YamlLine): void {
    if (line.kind === 'end') this.#part = 'end';
    else if (this.#hasBegun || this.#part !== 'start') throw this.#invalidBody('a second document begins');
    else if (line.kind === 'begin') {
      if (line.rest !== '---') throw this.#invalidBody('nothing may stand behind --- on the same line');
      this.#hasBegun = true;
    }
  }

  #isItemIndent(indent: number): boolean {
    if (this.#part === 'listing' && !this.#names.has('resources')) return false;
    return this.#itemIndent === undefined ? indent >= this.#listingIndent : indent === this.#itemIndent;
  }

  #isListingIndent(indent: number): boolean {
    return this.#part === 'start' || (this.#part === 'listing' && indent === this.#listingIndent);
  }

  #beginItem({ text, indent }: YamlLine): void {
    if (this.#part === 'start') this.#part = 'list';
    this.#itemIndent = indent;
    this.#block = { kind: 'item', line: this.#line, indent, text: `${text}\n` };
  }

  #beginMember({ text, indent, name, rest }: YamlLine): void {
    if (name !== 'resources' && name !== 'page') throw this.#invalidBody(`it has a member ${quote(name)}`);
    if (this.#names.has(name)) throw this.#invalidBody(`it has ${name} twice`);
    this.#names.add(name);
    this.#part = 'listing';
    this.#listingIndent = indent;
    if (name === 'page') this.#block = { kind: 'page', line: this.#line, indent, text: `${text}\n` };
    else if (!emptyLists.includes(rest)) {
      throw this.#invalidBody(
        `resources must be a list with a line and a dash for each item, got ${quote(rest)}`,
      );
    }
  }

  #keep(text: string): void {
    if (this.#block !== undefined && this.#block.text.length <= this.#maxRecordBytes)
      this.#block.text += `${text}\n`;
  }

  *#endBlock(): Generator<ReadResult> {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    if (block.kind === 'page') this.page = this.#readPage(block);
    else {
      const place = { line: block.line, column: block.indent + 1 };
      yield isTooLong(block.text, this.#maxRecordBytes)
        ? tooLong(place, this.#maxRecordBytes)
        : readYamlRecord(block.text, place);
    }
  }

  #readPage({ text, line }: Block): ListingPage | undefined {
    try {
      const document = parseYaml(text);
      const value = new YamlValues(document).of(document.contents) as { page: unknown };
      return parseListingPage(value.page);
    } catch (error) {
      if (error instanceof YamlFault) throw this.#invalidBody(`page ${error.message}`, line);
      throw error;
    }
  }

  #strayLine({ text, indent }: YamlLine): ReadResult {
    const reason = `belongs to no record: those begin with a dash behind ${this.#itemIndent} spaces, got ${quote(text.trim())}`;
    return unreadable({ line: this.#line, column: indent + 1 }, reason);
  }

  #invalidBody(reason: string, line = this.#line): RosterError {
    const shape = 'a YAML list of records, or a listing, which is a mapping with resources and page';
    return new RosterError('invalid_body', `the body must be ${shape}; ${reason} in line ${line}`);
  }
}
