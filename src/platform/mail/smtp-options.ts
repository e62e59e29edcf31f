import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { SMTPTransportOptions } from 'nodemailer';
import { LimitedConnection } from '../outbox/limited-connection.js';
import type { MailServerAddress } from '../settings/server-addresses.js';
import { parseAddress } from '../settings/networks.js';
import { SECOND_MS } from '../settings/units.js';

/** For each step of the protocol. */
const TIMEOUT_MS = 10 * SECOND_MS;
/** Of a whole mail: the handshake of TLS and the replies. nodemailer limits only a single reply. */
const MAX_RECEIVED_BYTES = 64 * 1024;

/** The connection to an SMTP server. Mails are never sent over a network without TLS and a valid certificate. */
export function smtpOptions({
  host,
  port,
  username,
  password,
  tls,
}: MailServerAddress): SMTPTransportOptions {
  const isLocal = isLoopback(host);
  return {
    host,
    port,
    secure: tls,
    auth: username === undefined ? undefined : { user: username, pass: password },
    requireTLS: !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    getSocket: (_options, done) => {
      connectTo(host, port).then((connection) => {
        done(null, { connection: connection as unknown as Socket });
      }, done);
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** @throws with the code of the error, also when the server is not reached in time */
async function connectTo(host: string, port: number): Promise<LimitedConnection> {
  const connection = new LimitedConnection(connect({ host, port }), MAX_RECEIVED_BYTES);
  try {
    await once(connection, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return connection;
  } catch (error) {
    connection.destroy();
    throw (error as Error).name === 'AbortError' ? Object.assign(new Error(), { code: 'ETIMEDOUT' }) : error;
  }
}

/** On this machine nobody else can read the connection, and servers there often have certificates of their own. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || parseAddress(host)?.range() === 'loopback';
}
