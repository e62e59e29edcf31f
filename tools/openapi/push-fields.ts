import { NOTICE_EVENTS } from '../../src/pushes/push/notice-events.js';
import type { CreatePushDto } from '../../src/pushes/create/create-push.dto.js';
import type { OwnPushDto, PushDto, RetrievedPushDto } from '../../src/pushes/push/push.dto.js';
import { PUSH_KINDS } from '../../src/shared/push-kind.js';
import { address, count, flag, list, present, text, time, whole } from './value-types.js';

/** Fields of a request that creates a push. Files are different in each encoding. */
export const GIVEN = {
  payload: {
    type: 'string',
    description:
      'The secret: text of 1 to 1,048,576 characters, an http or https URL of at most 8192, or 1 to 1024 for a QR code. ' +
      'Required for every kind except `file`.',
    examples: ['correct horse'],
  },
  kind: {
    type: 'string',
    enum: PUSH_KINDS,
    description:
      'Kinds may be disabled: see GET /api/v2/version. Default: text, or file when there are files',
  },
  expire_after_days: whole(1, 36_500, '1 to 90, default 7, unless the installation sets other bounds'),
  expire_after_views: whole(1, 1_000_000, '1 to 100, default 5, unless the installation sets other bounds'),
  expire_after_duration: whole(0, 17, 'Another way to set the lifetime, on a scale; see docs/api.md'),
  expire_after_first_view: whole(
    1,
    24 * 36_500,
    'Hours after the first view in which it ends, if no other limit ends it earlier; at most 24 times the days that the installation allows',
  ),
  opens_at: {
    type: 'string',
    format: 'date-time',
    description: 'Nobody can open it before this time, which is before its end by days',
  },
  allowed_networks: list(
    'IP addresses and networks in CIDR notation from which it can be opened: a list, or a text with commas',
    20,
  ),
  deletable_by_viewer: flag('Lets anyone who has the URL delete it'),
  retrieval_step: flag('Makes the page ask for a confirmation first'),
  hides_contents: flag(
    'Makes the page of the link say nothing about kind, number and size of files before it is opened',
  ),
  client_encrypted: flag(
    'Says that the client has encrypted payload and files in the format of docs/end-to-end.md; what is not is refused',
  ),
  passphrase: text('Required to retrieve', 255),
  name: text('A label that only the owner sees', 255),
  note: text('A note that only the owner sees', 2000),
  notify_emails_to: list(
    'Who gets a mail with the URL: a list, or a text with commas. Needs a token. Refused where no mails are sent, and with `client_encrypted`',
    5,
  ),
  notify_emails_to_locale: {
    type: 'string',
    maxLength: 35,
    description:
      'The language of these mails, one of those of the pages, such as de; the default one when it is absent',
  },
  recipients: list(
    'Who may open it, besides its owner: email addresses, and domains such as `@example.com`; a list, or a text with commas. Refused where no mails are sent',
    20,
  ),
  uploads: list(
    'The ids or URLs of finished uploads, which become files of the push after its other ones: see POST /api/v2/uploads',
  ),
  once_per_recipient: flag('Lets each recipient open it only once; needs `recipients`'),
  notify_on: {
    ...list(
      'Events that the owner gets a mail about: a list, or a text with commas. Needs a token. Default: what the account says. Refused where no mails are sent',
    ),
    items: { type: 'string', enum: NOTICE_EVENTS },
  },
} satisfies Record<Exclude<keyof CreatePushDto, 'files'>, object>;

/** Fields of pushes in responses: what the types in the source cannot express. */
export const RETURNED = {
  url_token: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{22,64}$',
    description: 'Identifies the push in URLs',
  },
  expired: flag('Whether it has ended'),
  expired_on: { type: ['string', 'null'], format: 'date-time', description: 'When it ended' },
  deleted: flag('Whether someone deleted it; false when it ended only by a limit'),
  expire_after_views: { ...count, description: 'How many views it allows' },
  views_remaining: { ...count, description: '`expire_after_views` minus the views counted' },
  expire_after_days: { ...count, description: 'How many days it lives' },
  days_remaining: { ...count, description: 'Days until `expires_at`, rounded up' },
  expires_at: { ...time, description: 'When it expires, unless a view or a delete ends it before' },
  created_at: time,
  updated_at: { ...time, description: 'When it was last created, viewed or ended' },
  deletable_by_viewer: flag('Whether anyone who has the URL may delete it'),
  retrieval_step: flag('Whether the page asks for a confirmation first'),
  passphrase: { type: 'null', description: 'Never returned' },
  passphrase_required: flag('Whether retrieving needs a passphrase'),
  client_encrypted: present(
    'Present when the client has encrypted payload and files: the key is only in the link it gave out',
  ),
  owner_only: present(
    'Present when to everybody but its owner it does not exist, as with answers to requests',
  ),
  expire_after_first_view: {
    ...count,
    description: 'Hours after the first view in which it ends; absent without this limit',
  },
  opens_at: { ...time, description: 'Nobody can open it before; absent when it is open from the start' },
  limited_to_networks: present('Present when it can be opened only from some networks'),
  allowed_networks: {
    type: 'array',
    items: { type: 'string' },
    description: 'These networks, for its owner and creator',
  },
  recipients_required: present(
    'Present when it opens only with a code that one of its recipients gets by mail: see POST /api/v2/pushes/{url_token}/code',
  ),
  html_url: { ...address, description: 'For people' },
  json_url: { ...address, description: 'For programs' },
  kind: { type: 'string', enum: PUSH_KINDS },
  payload: {
    type: ['string', 'null'],
    description: 'The secret; null once expired',
    examples: ['correct horse'],
  },
  name: { type: 'string', description: '"" when there is none' },
  note: { type: 'string', description: '"" when there is none' },
  recipients: {
    type: 'array',
    items: { type: 'string' },
    description: 'Who may open it besides the owner; absent when whoever has the link may',
  },
  hides_contents: present(
    'Present when the page of the link says nothing about kind, number and size of files before it is opened',
  ),
  once_per_recipient: present('Present when each recipient may open it only once'),
  unreadable: present(
    'Present when `url_token`, `name`, `note` or `recipients` cannot be read, because the row is damaged, and is empty',
  ),
  missing_files: {
    type: 'array',
    items: { type: 'string' },
    description:
      'Names of files that were missing on the server that the push was imported from; absent when there are none',
  },
} satisfies Record<Exclude<keyof (OwnPushDto & RetrievedPushDto), 'files'>, object>;

export const URL_TOKEN = 'Fq3vN7mXzK1bT9cYwR5sH8dLpJ2gA6eU4iO0tVxQnBk';
export const ORIGIN = 'https://push.example.org';

/** A push in a response. */
export const PUSH = {
  expire_after_views: 5,
  expired: false,
  url_token: URL_TOKEN,
  deletable_by_viewer: false,
  retrieval_step: false,
  expired_on: null,
  passphrase: null,
  created_at: '2026-01-01T01:00:00.000Z',
  updated_at: '2026-01-01T01:00:00.000Z',
  expire_after_days: 7,
  days_remaining: 7,
  views_remaining: 5,
  deleted: false,
  json_url: `${ORIGIN}/api/v2/pushes/${URL_TOKEN}`,
  html_url: `${ORIGIN}/p/${URL_TOKEN}`,
  kind: 'text',
  expires_at: '2026-01-08T01:00:00.000Z',
  passphrase_required: false,
} satisfies PushDto;

/** The same for its owner. */
export const OWN_PUSH = { ...PUSH, name: 'spring', note: 'for Ada' } satisfies OwnPushDto;
