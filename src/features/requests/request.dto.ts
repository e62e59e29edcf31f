import { hash } from 'node:crypto';
import type { Visitor } from '../../platform/http/visitor.js';
import type { SecretRequestAuditEntry, SecretRequestAuditKind } from './secret-request-audit-entry.entity.js';
import type { SecretRequestTexts } from './secret-request-seal.js';
import type { SecretRequest } from './secret-request.entity.js';

export type SecretRequestState = 'open' | 'closed';

/** A closed request, as everybody but its owner sees it. */
export class ClosedRequestDto {
  url_token: string;
  state: 'closed';

  static of(urlToken: string): ClosedRequestDto {
    return { url_token: urlToken, state: 'closed' };
  }
}

/** A request as whoever has its link sees it. */
export class RequestDto {
  url_token: string;
  state: SecretRequestState;
  /** What is asked. */
  request: string;
  /** Who asks; absent unless `include_requestor`, and while the address is not verified. */
  requestor?: string;
  close_after_at: string;
  close_after_duration: number;
  answers: number;
  answers_remaining: number;
  include_requestor: boolean;
  response_file_attachments: boolean;
  retrieval_step: boolean;
  passphrase_required: boolean;
  /** Whether answers must be encrypted to `recipient`. */
  client_encrypted: boolean;
  /** An age recipient; null when the server encrypts answers. */
  recipient: string | null;
  created_at: string;
  updated_at: string;
  html_url: string;
  json_url: string;

  static of(
    request: SecretRequest,
    texts: SecretRequestTexts,
    { baseUrl }: Visitor,
    now: Date,
    requestor?: string,
  ): RequestDto {
    const { urlToken, recipient } = texts;
    return {
      url_token: urlToken,
      state: request.isOpen(now) ? 'open' : 'closed',
      request: texts.request,
      ...(request.showsRequestor && requestor !== undefined && { requestor }),
      close_after_at: request.closesAt.toISOString(),
      close_after_duration: request.closeAfterDuration,
      answers: request.answers,
      answers_remaining: request.answersRemaining(),
      include_requestor: request.showsRequestor,
      response_file_attachments: request.filesAllowed,
      retrieval_step: request.retrievalStep,
      passphrase_required: texts.passphrase !== undefined,
      client_encrypted: recipient !== undefined,
      recipient: recipient ?? null,
      created_at: request.createdAt.toISOString(),
      updated_at: request.updatedAt.toISOString(),
      html_url: requestUrl(urlToken, recipient, baseUrl),
      json_url: `${baseUrl}/api/v2/requests/${urlToken}`,
    };
  }
}

/** A request as its owner sees it. */
export class OwnRequestDto extends RequestDto {
  name: string;
  note: string;

  static ofOwn(
    request: SecretRequest,
    texts: SecretRequestTexts,
    visitor: Visitor,
    now: Date,
  ): OwnRequestDto {
    return { ...RequestDto.of(request, texts, visitor, now), name: texts.name, note: texts.note };
  }
}

/** The same with its answers. */
export class RequestWithAnswersDto extends OwnRequestDto {
  /** The `url_token` of the push of each answer, in the order in which they came. */
  answer_url_tokens: string[];
}

export class RequestPreviewDto {
  url: string;
}

/** The response to an answer: nothing that opens it. */
export class AnsweredDto {
  state: SecretRequestState;
  answers_remaining: number;

  static of(request: SecretRequest, now: Date): AnsweredDto {
    return {
      state: request.isOpen(now) ? 'open' : 'closed',
      answers_remaining: request.answersRemaining(),
    };
  }
}

/** An entry of the audit log of a request. */
export class RequestAuditEntryDto {
  ip: string;
  user_agent: string;
  referrer: string;
  kind: SecretRequestAuditKind;
  created_at: string;

  static of({ ip, userAgent, referrer, kind, createdAt }: SecretRequestAuditEntry): RequestAuditEntryDto {
    return { ip, user_agent: userAgent, referrer, kind, created_at: createdAt.toISOString() };
  }
}

/** The link to send. Its fragment is the digest of the recipient, which browsers compare before they encrypt. */
export function requestUrl(urlToken: string, recipient: string | undefined, baseUrl: string): string {
  const url = `${baseUrl}/requests/${urlToken}`;
  return recipient === undefined ? url : `${url}#${answerFragment(recipient)}`;
}

/** As docs/end-to-end.md describes it. */
function answerFragment(recipient: string): string {
  return `1${hash('sha256', recipient, 'base64url')}`;
}
