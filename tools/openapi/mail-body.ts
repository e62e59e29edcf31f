import { fieldRef } from './create-body.js';
import { EXAMPLES } from './examples.js';

const properties = {
  notify_emails_to: fieldRef('notify_emails_to'),
  notify_emails_to_locale: fieldRef('notify_emails_to_locale'),
};

/** The request body that names recipients. */
export const mailBody = {
  required: true,
  content: {
    'application/json': {
      schema: { type: 'object', required: ['notify_emails_to'], properties },
      example: EXAMPLES.mails,
    },
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', required: ['notify_emails_to'], properties },
      example: { notify_emails_to: 'ada@example.org', notify_emails_to_locale: 'de' },
    },
  },
};
