/** Why the service cannot start, in one sentence for the operator. It is shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The database server of the settings does not answer, or not with this login. */
export class NoDatabaseConnection extends StartError {}
