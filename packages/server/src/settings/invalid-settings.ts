/** What a terminal would obey instead of showing it. */
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Says which settings are wrong, all of them, and what is allowed. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  /** Each a line. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const lines = faults.map((fault) => fault.replace(controls, escaped));
    super(lines.join('\n'));
    this.faults = lines;
  }
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
