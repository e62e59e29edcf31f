import ipaddr from 'ipaddr.js';
import type { SMTPTransportOptions } from 'nodemailer';
import type { MailServerAddress } from '../settings/server-addresses.js';
import { SECOND_MS } from '../settings/units.js';

/** For each step of the protocol. */
const TIMEOUT_MS = 10 * SECOND_MS;

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
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** On this machine nobody else can read the connection, and servers there often have certificates of their own. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
