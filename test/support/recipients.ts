import { MailCount } from '../../src/auth/entities/mail-count.entity.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import type { Client, ClientResponse } from './client.js';
import { eventually } from './eventually.js';
import type { MailServer, ReceivedMail } from './mail-server.js';
import { mailsTo } from './mailbox.js';
import type { RunningApp } from './start-app.js';

/** The code in a mail; empty without one. */
export function codeIn(mail: ReceivedMail | undefined): string {
  return /^\d{8}$/m.exec(mail?.text ?? '')?.[0] ?? '';
}

/** Asks for a code as a program does. */
export function askForCode(client: Client, urlToken: string, email: unknown): Promise<ClientResponse> {
  return client.post(`/api/v2/pushes/${urlToken}/code`, { email });
}

/** Opens a push with the code of a recipient. */
export function openWith(
  client: Client,
  urlToken: string,
  email: string,
  code: string,
): Promise<ClientResponse> {
  return client
    .with({ 'X-Push-Recipient': encodeURIComponent(email), 'X-Push-Code': code })
    .retrieve(urlToken);
}

/** The recipients of an instance that sends its mails to a server. */
export class Recipients {
  constructor(
    private readonly running: RunningApp,
    private readonly server: MailServer,
  ) {}

  /** The codes that an address has got, oldest first. */
  async codesOf(email: string): Promise<string[]> {
    return (await mailsTo(this.running, this.server, email)).map(codeIn);
  }

  /** The new code of an address that asks for one. */
  async codeFor(urlToken: string, email: string): Promise<string> {
    const address = email.toLowerCase();
    const before = (await this.codesOf(address)).length;
    await askForCode(this.running.anonymous, urlToken, email);
    await eventually(async () => (await this.codesOf(address)).length > before);
    return (await this.codesOf(address)).at(-1) ?? '';
  }

  open(urlToken: string, email: string, code: string): Promise<ClientResponse> {
    return openWith(this.running.anonymous, urlToken, email, code);
  }

  /** Forgets mails and limits of earlier tests. */
  async reset(): Promise<void> {
    await eventually(async () => {
      await this.running.dataSource.manager.deleteAll(OutboxMessage);
      return (await this.running.dataSource.manager.count(OutboxMessage)) === 0;
    });
    await this.running.dataSource.manager.deleteAll(MailCount);
    this.server.received.length = 0;
  }
}
