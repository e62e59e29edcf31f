import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail extends Email {
  /** The recipients of the envelope. */
  recipients: string[];
  /** As it was received. */
  raw: string;
}

/** An SMTP server on loopback. */
export interface MailServer {
  /** The settings of an instance that sends its mails to it. */
  env: { MAIL_URL: string; MAIL_FROM: string; PUBLIC_URL: string };
  received: ReceivedMail[];
  /** How many connections it has got. */
  connections(): number;
  stop(): Promise<void>;
}

/** @param options replace handlers of the server, for one that refuses, delays or disconnects */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, accept) => {
      connections += 1;
      accept();
    },
    onData: (stream, { envelope }, done) => {
      stream
        .toArray()
        .then(async (chunks) => {
          const raw = Buffer.concat(chunks as Buffer[]);
          const recipients = envelope.rcptTo.map(({ address }) => address);
          received.push({ ...(await PostalMime.parse(raw)), recipients, raw: raw.toString() });
          done();
        })
        .catch(done);
    },
    ...options,
  });
  server.on('error', () => undefined); // clients that disconnect
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return {
    env: {
      MAIL_URL: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
      MAIL_FROM: 'Sealpush <push@example.org>',
      PUBLIC_URL: 'https://push.example.org',
    },
    received,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}
