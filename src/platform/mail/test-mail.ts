import type { Translator } from '../../texts/translator.js';
import type { Settings } from '../settings/settings.js';
import type { Mail } from './mail.js';

/** A mail that says only that mails arrive. */
export function testMail(to: string, { OPERATOR_NAME: site = 'Sealpush' }: Settings, t: Translator): Mail {
  return {
    to,
    language: t.language,
    subject: t.text('mail.test.subject', { site }),
    parts: [t.text('mail.test.text', { site })],
  };
}
