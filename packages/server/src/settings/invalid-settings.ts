/** Says which settings are wrong, all of them, and what is allowed. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
