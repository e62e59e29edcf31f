import type { Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { NestModuleDefinition } from '../../src/custom/custom-modules.js';
import type { Mail } from '../../src/platform/mail/mail.js';
import { MailComposer } from '../../src/platform/mail/mails.service.js';

/** A module with this provider, for the `extensions` of an app. */
export function moduleWith(provider: Provider): NestModuleDefinition {
  @Module({ providers: [provider] })
  class Contributing {}
  return Contributing;
}

class TestMails {
  @MailComposer('test')
  compose(mail: Mail): Mail {
    return mail;
  }
}

/** Has mails of kind `test`, whose values are the mail. */
export const testMails = moduleWith(TestMails);
