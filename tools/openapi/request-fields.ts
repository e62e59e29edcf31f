import type { CreateRequestDto } from '../../src/features/requests/create-request.dto.js';
import type {
  AnsweredDto,
  OwnRequestDto,
  RequestAuditEntryDto,
  RequestWithAnswersDto,
} from '../../src/features/requests/request.dto.js';
import { body, formOf, inForm, under, withFiles } from './bodies.js';
import { fieldRef } from './create-body.js';
import { ORIGIN, RETURNED, URL_TOKEN } from './push-fields.js';
import { ref } from './references.js';
import { count, flag, list, text, time, whole } from './value-types.js';

const EVENTS = ['answered'];
const request = text('What is asked, shown to whoever has the link', 10_000);

/** Fields of a request for a secret that is created. */
const ASKED = {
  request,
  name: fieldRef('name'),
  note: fieldRef('note'),
  passphrase: text('Required to see the request and to answer it', 255),
  recipient: {
    type: 'string',
    description: 'An age recipient (age1…). With one, answers must be encrypted to it',
  },
  close_after_duration: whole(0, 17, 'When it closes, on the scale of docs/api.md; default 12, 7 days'),
  answers: whole(1, 100, 'How many answers it takes; default 1'),
  expire_after_days: fieldRef('expire_after_days'),
  expire_after_views: fieldRef('expire_after_views'),
  expire_after_duration: fieldRef('expire_after_duration'),
  deletable_by_viewer: fieldRef('deletable_by_viewer'),
  retrieval_step: fieldRef('retrieval_step'),
  response_file_attachments: flag('Lets answers have files; default true where files are enabled'),
  include_requestor: flag('Shows the email address of the account with the request; default false'),
  notify_emails_to: fieldRef('notify_emails_to'),
  notify_emails_to_locale: fieldRef('notify_emails_to_locale'),
  notify_on: {
    ...list(
      'Events that the account gets a mail about: a list, or a text with commas. Default: `answered`, where mails are sent',
    ),
    items: { type: 'string', enum: EVENTS },
  },
} satisfies Record<keyof CreateRequestDto, object>;

const response = {
  type: 'string',
  description: 'The secret; with a recipient, an armoured age file. Optional when there are files',
};

/** Schemas of requests for secrets, and of answers, in request bodies. */
export const NEW_REQUESTS = {
  NewRequest: { type: 'object', required: ['request'], properties: ASKED },
  RequestForm: formOf('request', ASKED),
  NewAnswer: { type: 'object', minProperties: 1, properties: { response, files: fieldRef('files') } },
  AnswerForm: formOf('request', { response }),
};

const asked = { request: 'The password of the shop, please', close_after_duration: 9, name: 'shop' };
const askedInForm = { schema: ref('RequestForm'), example: inForm('request', asked) };

/** The request body that creates a request for a secret. */
export const requestBody = body(
  {
    schema: under('request', ref('NewRequest')),
    examples: { text: { summary: 'A request', value: { request: asked } } },
  },
  askedInForm,
  askedInForm,
);

const answered = { response: 'correct horse' };
const answeredWithFile = {
  files: [{ filename: 'a.txt', content_type: 'text/plain', content: 'dHVsaXA=' }],
};

/** Request bodies of several operations, by their names. */
export const REQUEST_BODIES = {
  Answer: body(
    {
      schema: under('request', ref('NewAnswer')),
      examples: {
        text: { summary: 'A text', value: { request: answered } },
        file: { summary: 'A file', value: { request: answeredWithFile } },
      },
    },
    { schema: ref('AnswerForm'), example: inForm('request', answered) },
    { schema: withFiles('request', 'AnswerForm'), example: inForm('request', answered) },
  ),
};

const state = { type: 'string', enum: ['open', 'closed'] };
const remaining = { ...count, description: 'How many more answers it takes, while it is open' };

const returned = {
  url_token: { ...RETURNED.url_token, description: 'Identifies the request in URLs' },
  state,
  request: { type: 'string', description: 'What is asked' },
  requestor: {
    type: 'string',
    description:
      'The email address of who asks; absent unless `include_requestor`, and while it is not verified',
  },
  close_after_at: {
    ...time,
    description: 'When it closes, unless its last answer or its owner closes it before',
  },
  close_after_duration: { ...count, maximum: 17, description: 'As it was sent, or the default' },
  answers: { ...count, description: 'How many answers it takes in all' },
  answers_remaining: remaining,
  include_requestor: flag('Whether it says who asks'),
  response_file_attachments: flag('Whether answers may have files'),
  retrieval_step: RETURNED.retrieval_step,
  passphrase_required: flag('Whether seeing and answering it needs a passphrase'),
  client_encrypted: flag('Whether answers must be encrypted to `recipient`'),
  recipient: {
    type: ['string', 'null'],
    description: 'An age recipient; null when the server encrypts answers',
  },
  created_at: time,
  updated_at: { ...time, description: 'When it was last created, answered or closed' },
  html_url: {
    ...RETURNED.html_url,
    description: 'The link to send. With a recipient, it ends with the digest of that',
  },
  json_url: RETURNED.json_url,
  name: RETURNED.name,
  note: RETURNED.note,
  answer_url_tokens: {
    type: 'array',
    items: RETURNED.url_token,
    description: 'The `url_token` of the push of each answer, oldest first',
  },
} satisfies Record<keyof RequestWithAnswersDto, object>;

/** Properties of requests in responses, by the names of their schemas. */
export const OF_REQUESTS = {
  RequestDto: returned,
  OwnRequestDto: returned,
  RequestWithAnswersDto: returned,
  ClosedRequestDto: { url_token: returned.url_token, state: { type: 'string', const: 'closed' } },
  AnsweredDto: { state, answers_remaining: remaining },
  RequestAuditEntryDto: {
    kind: { type: 'string', enum: ['creation', 'answer', 'failed_passphrase', 'close'] },
  },
};

const OWN_REQUEST = {
  url_token: URL_TOKEN,
  state: 'open',
  request: 'The password of the shop, please',
  close_after_at: '2026-01-08T01:00:00.000Z',
  close_after_duration: 12,
  answers: 2,
  answers_remaining: 1,
  include_requestor: false,
  response_file_attachments: true,
  retrieval_step: false,
  passphrase_required: false,
  client_encrypted: false,
  recipient: null,
  created_at: '2026-01-01T01:00:00.000Z',
  updated_at: '2026-01-01T01:00:00.000Z',
  html_url: `${ORIGIN}/requests/${URL_TOKEN}`,
  json_url: `${ORIGIN}/api/v2/requests/${URL_TOKEN}`,
  name: 'shop',
  note: '',
} satisfies OwnRequestDto;

const closed = { ...OWN_REQUEST, state: 'closed' } satisfies OwnRequestDto;

/** Examples of responses about requests. */
export const REQUEST_EXAMPLES = {
  created: OWN_REQUEST,
  open: [OWN_REQUEST],
  closedList: [closed],
  closed,
  withAnswers: {
    ...OWN_REQUEST,
    answer_url_tokens: ['w1Xo7dKJr0cVb9mTqYzA5nE3uHs8fLgR2iPkOeNvMxQ'],
  } satisfies RequestWithAnswersDto,
  preview: { url: OWN_REQUEST.html_url },
  answered: { state: 'open', answers_remaining: 1 } satisfies AnsweredDto,
  audit: {
    logs: [
      {
        ip: '192.0.2.7',
        user_agent: 'curl/8.14.1',
        referrer: '',
        kind: 'creation',
        created_at: '2026-01-01T01:00:00.000Z',
      } satisfies RequestAuditEntryDto,
    ],
  },
};
