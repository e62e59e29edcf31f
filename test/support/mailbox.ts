import { DataSource, IsNull } from 'typeorm';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { eventually } from './eventually.js';
import type { MailServer, ReceivedMail } from './mail-server.js';
import type { RunningApp } from './start-app.js';

/** The mails that an address has received when all that was to be sent has been sent, oldest first. */
export async function mailsTo(
  running: RunningApp,
  server: MailServer,
  email: string,
): Promise<ReceivedMail[]> {
  await allSent(running);
  return server.received.filter(({ recipients }) => recipients.includes(email));
}

/** Waits until the outbox has nothing more to send. */
export async function allSent({ app }: RunningApp): Promise<void> {
  const messages = app.get(DataSource).getRepository(OutboxMessage);
  await eventually(async () => (await messages.countBy({ endedAt: IsNull() })) === 0);
}

/** The path of the first link of a mail with a token. */
export function linkIn(mail: ReceivedMail | undefined): string {
  return (
    /^https?:\/\/push\.example\.org(\/users\/\w+\/[\w-]{43}(?:\?\S*)?)$/m.exec(mail?.text ?? '')?.[1] ?? ''
  );
}
