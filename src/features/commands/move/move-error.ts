/** Why a database was not exported or imported, in a sentence for the operator. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}
