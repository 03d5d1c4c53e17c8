/** Why a source could not be read. The message never has credentials in it. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
}
