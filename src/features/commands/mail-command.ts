import { Module } from '@nestjs/common';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { NodemailerError } from 'nodemailer';
import { User } from '../../auth/entities/user.entity.js';
import { isPlainEmail } from '../../auth/entities/emails.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import { TextsModule } from '../../platform/i18n/texts.module.js';
import { MailTransport, MailTransportModule } from '../../platform/mail/mail-transport.js';
import { testMail } from '../../platform/mail/test-mail.js';
import { newId } from '../../platform/random/random.js';
import { Settings } from '../../platform/settings/settings.js';
import { SettingsModule } from '../../platform/settings/settings.module.js';
import type { CommandContext } from '../../platform/cli/command-context.js';

/** What sends a mail at once: neither the database nor the service need to work. */
@Module({ imports: [SettingsModule, TextsModule, MailTransportModule] })
class MailTestModule {}

/** The command that tries the SMTP server of the settings. */
export function addMailCommand(program: Command, { inModule, print, setFailed, warn }: CommandContext): void {
  program
    .command('mail:test')
    .argument('<address>', 'who gets the mail', emailArgument)
    .description('send a mail at once, and print what the mail server says')
    .action((to: string) =>
      inModule(MailTestModule, async (module) => {
        const settings = module.get(Settings);
        if (settings.MAIL_URL === undefined) {
          warn('MAIL_URL is not set, so no mails are sent.');
          setFailed();
          return;
        }
        const transport = module.get(MailTransport, { strict: false });
        const mail = testMail(to, settings, module.get(TextsService, { strict: false }).in(undefined));
        try {
          print({ to, accepted: true, server: await transport.send(mail, newId()) });
        } catch (error) {
          print({ to, accepted: false, server: transport.reasonOf(error as NodemailerError) });
          setFailed();
        }
      }),
    );
}

function emailArgument(typed: string): string {
  const email = User.normalizeEmail(typed);
  if (!isPlainEmail(email)) throw new InvalidArgumentError('It is not an email address.');
  return email;
}
