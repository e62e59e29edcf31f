import type { ErrorCodes } from '../errors/database-error.js';

/** SQLSTATEs, of which the first two characters are the class. */
export const POSTGRES_ERRORS: ErrorCodes = {
  // serialization failure, deadlock, waited for a lock for too long, statement that has to be prepared again
  conflict: /^(40001|40P01|55P03|26000)$/,
  refusal: /^(25006|57P0[123])$/, // read-only transaction; shutdown, crash, start of the server
  // connection, resources, cancelled or too slow, I/O of the system, idle or at work for too long
  unavailable: /^(08|53|58|57014$|57P|25P0[34]$)/,
  outcomeUnknown: /^(08007|40003)$/,
  duplicate: /^23505$/,
  missingParent: /^23503$/,
  stillReferenced: /^(23503|23001)$/,
  missingTable: /^42P01$/,
};
