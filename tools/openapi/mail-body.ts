import { fieldRef } from './create-body.js';
import { EXAMPLES } from './examples.js';

/** The request body that names who gets the link. */
export const mailBody = body(
  ['notify_emails_to'],
  {
    notify_emails_to: fieldRef('notify_emails_to'),
    notify_emails_to_locale: fieldRef('notify_emails_to_locale'),
  },
  EXAMPLES.mails,
  { notify_emails_to: 'ada@example.org', notify_emails_to_locale: 'de' },
);

/** The request body that asks for a code. */
export const codeBody = body(
  ['email'],
  {
    email: { type: 'string', maxLength: 254, description: 'Of a recipient' },
    locale: {
      type: 'string',
      maxLength: 35,
      description:
        'The language of the mail, one of those of the pages, such as de; the default one when it is absent',
    },
  },
  EXAMPLES.codeRequest,
  EXAMPLES.codeRequest,
);

function body(required: string[], properties: object, example: object, exampleOfForm: object) {
  const schema = { type: 'object', required, properties };
  return {
    required: true,
    content: {
      'application/json': { schema, example },
      'application/x-www-form-urlencoded': { schema, example: exampleOfForm },
    },
  };
}
