/** Characters that a terminal would interpret. */
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** All invalid settings, and what is allowed. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  /** One line each. */
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    const lines = errors.map((error) => error.replace(controls, escaped));
    super(lines.join('\n'));
    this.errors = lines;
  }
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
