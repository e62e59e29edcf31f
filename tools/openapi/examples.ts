import { WORD_LANGUAGES } from '../../src/shared/generator.js';
import { ORIGIN, OWN_PUSH, PUSH, URL_TOKEN } from './push-fields.js';

/** Examples of responses, with made-up values. */

/** Those of several responses, by their names. */
export const SHARED_EXAMPLES = { OwnPush: { value: OWN_PUSH } };

export const TICKET = 'jALpwS2feeoBofk74W5zELZwt33k3JlnFh9aAcGFbotmH-FpmqTGubNUSdjdGSJb';

const ended = {
  ...PUSH,
  expired: true,
  expired_on: '2026-01-02T09:30:00.000Z',
  updated_at: '2026-01-02T09:30:00.000Z',
  days_remaining: 6,
};

export const EXAMPLES = {
  introduction: { v2: `${ORIGIN}/api/v2`, v1: `${ORIGIN}/api/v1`, documentation: `${ORIGIN}/api/docs` },
  version: {
    application_version: '3.0.0',
    api_version: '2.1',
    edition: 'oss',
    features: {
      anonymous_access: true,
      api_token_authentication: true,
      accounts: { enabled: false },
      pushes: {
        enabled: true,
        email_auto_dispatch: false,
        recipients: false,
        file_attachments: { enabled: true, requires_authentication: true },
        url_pushes: { enabled: true },
        qr_code_pushes: { enabled: true },
        password_generator: { enabled: true, languages: [...WORD_LANGUAGES] },
        first_view_limit: { enabled: true },
        opening_time: { enabled: true },
        network_limit: { enabled: true },
        changes: { enabled: true },
      },
      requests: { enabled: false },
    },
  },
  legacyVersion: { application_version: '3.0.0', api_version: '1.5', edition: 'oss' },
  active: [OWN_PUSH],
  expired: [{ ...OWN_PUSH, ...ended, views_remaining: 0 }],
  retrieved: {
    ...PUSH,
    views_remaining: 4,
    payload: 'correct horse',
    files: [{ filename: 'a.txt', content_type: 'text/plain', url: `${ORIGIN}/files/${TICKET}` }],
  },
  preview: { url: `${ORIGIN}/p/${URL_TOKEN}` },
  audit: {
    logs: [
      {
        ip: '192.0.2.7',
        user_agent: 'curl/8.14.1',
        referrer: '',
        kind: 'creation',
        created_at: '2026-01-01T01:00:00.000Z',
        updated_at: '2026-01-01T01:00:00.000Z',
      },
    ],
  },
  auditLines: [
    {
      id: 1,
      push: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      push_kind: 'text',
      kind: 'creation',
      ip: '192.0.2.7',
      user_agent: 'curl/8.14.1',
      referrer: '',
      by_owner: true,
      created_at: '2026-01-01T01:00:00.000Z',
      digest: '3837aeb0db2a04dea32fd75d515095fcf4bfba8f5f4d05b08f3923f587e3e56f',
    },
  ],
  mails: { notify_emails_to: ['ada@example.org'], notify_emails_to_locale: 'de' },
  codeRequest: { email: 'ada@example.org', locale: 'de' },
  codeRequested: {
    message: 'If the email address is named, a code that is valid for 10 minutes is sent to it.',
  },
  mailsQueued: { message: 'Recipient(s) are added to the queue to be sent.' },
  deleted: { ...ended, deleted: true },
  up: { up: true },
  ready: { ready: true, checks: { database: true, writes: true, migrations: true, keys: true } },
};
