import { body } from './bodies.js';
import { fieldRef } from './create-body.js';
import { EXAMPLES } from './examples.js';
import { ref } from './references.js';

/** Schemas of the bodies of requests that have mails sent. */
export const MAIL_BODIES = {
  NewLinkMails: {
    type: 'object',
    required: ['notify_emails_to'],
    properties: {
      notify_emails_to: fieldRef('notify_emails_to'),
      notify_emails_to_locale: fieldRef('notify_emails_to_locale'),
    },
  },
  NewCode: {
    type: 'object',
    required: ['email'],
    properties: {
      email: { type: 'string', maxLength: 254, description: 'Of a recipient' },
      locale: {
        type: 'string',
        maxLength: 35,
        description:
          'The language of the mail, one of those of the pages, such as de; the default one when it is absent',
      },
    },
  },
};

/** The request body that names who gets the link. */
export const mailBody = body(
  { schema: ref('NewLinkMails'), example: EXAMPLES.mails },
  {
    schema: ref('NewLinkMails'),
    example: { notify_emails_to: 'ada@example.org', notify_emails_to_locale: 'de' },
  },
);

/** The request body that asks for a code. */
export const codeBody = body(
  { schema: ref('NewCode'), example: EXAMPLES.codeRequest },
  { schema: ref('NewCode'), example: EXAMPLES.codeRequest },
);
