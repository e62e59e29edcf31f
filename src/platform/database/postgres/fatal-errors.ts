/** An error with what pg, and we, tell about it. */
interface DriverError extends Error {
  code?: string;
  fatal?: boolean;
  severity?: string;
}

/** The server closes the connection with these, the last ones because the session has waited for too long. */
const ENDS_CONNECTION = /^(08|57P0[1-5]|25P0[34])/;

/**
 * Marks an error that ends its connection as fatal. Those that do not come from the server all do, and have no code when the
 * driver makes them.
 */
export function marked(error: DriverError): DriverError {
  const isOfServer = error.severity !== undefined;
  if (!isOfServer || ENDS_CONNECTION.test(error.code ?? '')) error.fatal = true;
  if (!isOfServer) error.code ??= /timeout|timed out/i.test(error.message) ? 'ETIMEDOUT' : 'ECONNRESET';
  return error;
}

/** The same for an error of opening a connection, after which there is none, whatever it is. */
export function markedFatal(error: Error): Error {
  return Object.assign(marked(error), { fatal: true });
}
