import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { isFQDN } from 'class-validator';
import type { SMTPTransportOptions } from 'nodemailer';
import { LimitedConnection } from '../outbox/limited-connection.js';
import type { MailServerAddress } from '../settings/server-addresses.js';
import { showMailUrl } from '../settings/server-addresses.js';
import { isLoopback, parseAddress } from '../settings/networks.js';
import type { MailTls, Settings } from '../settings/settings.js';
import { SECOND_MS } from '../settings/units.js';

/** For each step of the protocol. */
const TIMEOUT_MS = 10 * SECOND_MS;
/** Of a whole mail: the handshake of TLS and the replies. nodemailer limits only a single reply. */
const MAX_RECEIVED_BYTES = 64 * 1024;

interface SmtpChoices {
  /** What the greeting says; when absent, the name of the machine if it has a domain, otherwise `[127.0.0.1]`. */
  name?: string;
  /** When absent, as the setting MAIL_TLS says. */
  mailTls?: MailTls;
  /** In place of the login of the address. */
  auth?: SMTPTransportOptions['auth'];
}

/** The connection to an SMTP server. Unless the operator asks for it, no mail crosses a network without TLS. */
export function smtpOptions(
  { host, port, username, password, tls }: MailServerAddress,
  { name, mailTls = isLoopback(host) ? 'opportunistic' : 'required', auth }: SmtpChoices = {},
): SMTPTransportOptions {
  return {
    host,
    port,
    name,
    secure: tls,
    auth: auth ?? (username === undefined ? undefined : { user: username, pass: password }),
    requireTLS: mailTls === 'required',
    opportunisticTLS: mailTls === 'opportunistic',
    ignoreTLS: mailTls === 'off',
    // servers on this machine, and those without a valid certificate, often have one of their own
    tls: { rejectUnauthorized: mailTls === 'required' },
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

/** What the service calls itself to a mail server (RFC 5321, section 4.1.1.1); undefined if it knows no full name. */
export function ehloNameOf({
  MAIL_EHLO_NAME,
  PUBLIC_URL = '',
}: Pick<Settings, 'MAIL_EHLO_NAME' | 'PUBLIC_URL'>): string | undefined {
  if (MAIL_EHLO_NAME !== undefined) return MAIL_EHLO_NAME;
  const host = (URL.parse(PUBLIC_URL)?.hostname ?? '').replace(/\.$/, '');
  const address = parseAddress(host.replace(/^\[|\]$/g, ''));
  if (address) return `[${address.kind() === 'ipv6' ? 'IPv6:' : ''}${address.toString()}]`;
  return isFQDN(host) ? host : undefined;
}

/** What the operator should know at the start about how mails are sent; undefined if nothing. */
export function mailWarning({ MAIL_URL, MAIL_TLS = 'required' }: Settings): string | undefined {
  if (MAIL_URL === undefined || MAIL_TLS === 'required') return undefined;
  const what = MAIL_URL.password === undefined ? 'mails' : 'mails, and the password of MAIL_URL,';
  const how = MAIL_TLS === 'off' ? 'without TLS' : 'without TLS if it offers none, and with any certificate';
  return `MAIL_TLS is ${MAIL_TLS}: ${what} go to ${showMailUrl(MAIL_URL)} ${how}. Whoever is on the way there can read the links and codes in them.`;
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
