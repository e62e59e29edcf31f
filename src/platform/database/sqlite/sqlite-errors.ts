import type { ErrorCodes } from '../errors/database-error.js';

const NONE = /^$/;

export const SQLITE_ERRORS: ErrorCodes = {
  conflict: NONE,
  refusal: NONE,
  unavailable: /^SQLITE_(ABORT_ROLLBACK|BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|READONLY)/,
  outcomeUnknown: /^SQLITE_IOERR/,
  duplicate: /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$/,
  missingParent: /^SQLITE_CONSTRAINT_FOREIGNKEY$/,
  stillReferenced: /^SQLITE_CONSTRAINT_FOREIGNKEY$/,
  missingTable: NONE,
};
