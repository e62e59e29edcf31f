import type { components } from './api-types.js';
import { isFragmentOf } from './end-to-end/answer-link.js';
import { identitiesIn, keyFileOf } from './end-to-end/key-file.js';
import { decryptPayloadWith, encryptPayloadFor, newIdentity } from './end-to-end/recipient-encryption.js';
import { SealpushError } from './errors.js';
import type { RequestLink } from './link.js';
import { assertToken, parseRequestLink } from './link.js';
import type { Secret, SendOptions } from './new-push.js';
import { assertPassphrase, envelopeOf, secretOf, sendBody, sendEncrypted, sendPlain } from './new-push.js';
import type { OpenedPush } from './opened-push.js';
import { known, openedAsItIs, openedWith, retrieve } from './opened-push.js';
import type { Server } from './server.js';

type Schemas = components['schemas'];

export interface NewRequest {
  /** What is asked, shown to whoever has the link; the server can read it. */
  request: string;
  /** How many answers it takes; one if left out. */
  answers?: number;
  name?: string;
  note?: string;
  /** Needed to see the request and to answer it. */
  passphrase?: string;
  /** A step of the scale of docs/api.md, Create, after which it closes. */
  closeAfterDuration?: number;
  /** An age recipient whose identity is kept already; a new one is made if left out. */
  recipient?: string;
  /** Whether answers may have files; as the installation decides if left out. */
  files?: boolean;
  encryption?: 'end-to-end' | 'server';
}

export interface RequestResult {
  /** What is sent to whoever should answer. */
  link: string;
  urlToken: string;
  closesAt: string;
  /** The new key file, which alone decrypts the answers; undefined if none was made. */
  keyFile: string | undefined;
}

/** What a request asks for. */
export interface RequestDetails {
  request: string;
  state: 'open' | 'closed';
  answersRemaining: number;
  /** Whether answers are encrypted for whoever asks, and the server cannot read them. */
  isEncrypted: boolean;
}

export interface NewAnswer extends Secret, SendOptions {
  /** If the request has one. */
  passphrase?: string;
}

export interface AnswerResult {
  state: 'open' | 'closed';
  answersRemaining: number;
  isEncrypted: boolean;
}

export interface AnswersOptions {
  /**
   * Called for each answer that cannot be decrypted: whoever has the link to answer can send such a one. It is left out
   * then. Without this, all answers fail with its error.
   */
  onUnreadable?: (urlToken: string, error: SealpushError) => void;
}

/** An answer, with the URL token of its push. */
export interface OpenedAnswer extends OpenedPush {
  urlToken: string;
}

type FindServer = (baseUrl: string) => Server;

/** Requests for secrets. */
export class Requests {
  constructor(private readonly server: Server) {}

  async create({ encryption = 'end-to-end', ...request }: NewRequest): Promise<RequestResult> {
    assertPassphrase(request.passphrase);
    const made =
      encryption === 'end-to-end' && request.recipient === undefined ? await newIdentity() : undefined;
    const recipient = encryption === 'end-to-end' ? (made?.recipient ?? request.recipient) : undefined;
    const json = {
      request: {
        request: request.request,
        answers: request.answers,
        name: request.name,
        note: request.note,
        passphrase: request.passphrase,
        close_after_duration: request.closeAfterDuration,
        response_file_attachments: request.files,
        recipient,
      },
    };
    const created = await this.server.json<Schemas['OwnRequestDto']>('POST', '/api/v2/requests', { json });
    if (typeof created.html_url !== 'string') throw this.server.unexpected();
    // the server writes the link: it must be that of our key. Its URL token has no characters that mean anything in a path
    const { fragment, urlToken } = parseRequestLink(created.html_url);
    if (recipient !== undefined && !(fragment !== undefined && (await isFragmentOf(fragment, recipient)))) {
      await this.server.json('DELETE', `/api/v2/requests/${urlToken}`).catch(() => undefined);
      throw recipientChanged();
    }
    return {
      link: created.html_url,
      urlToken,
      closesAt: created.close_after_at,
      keyFile: made && keyFileOf({ ...made, createdAt: new Date() }),
    };
  }

  async show(link: string, passphrase: string | undefined, serverOf: FindServer): Promise<RequestDetails> {
    const parsed = parseRequestLink(link, this.server.baseUrl);
    const shown = await this.asked(serverOf(parsed.server), parsed, passphrase);
    await assertRecipient(parsed, shown.recipient ?? undefined);
    return {
      request: shown.request,
      state: shown.state,
      answersRemaining: shown.answers_remaining,
      isEncrypted: typeof shown.recipient === 'string',
    };
  }

  async answer(link: string, answer: NewAnswer, serverOf: FindServer): Promise<AnswerResult> {
    const parsed = parseRequestLink(link, this.server.baseUrl);
    const server = serverOf(parsed.server);
    const secret = secretOf(answer);
    const { recipient } = await this.asked(server, parsed, answer.passphrase, answer.signal);
    await assertRecipient(parsed, recipient ?? undefined);
    const metadata = { request: parsed.urlToken };
    const headers = passphraseHeader(answer.passphrase);
    const path = `/api/v2/requests/${parsed.urlToken}/respond`;
    const send = async (response: string, sent: Awaited<ReturnType<typeof sendPlain>>) => {
      const fields = response === '' ? {} : { response };
      const body = { fields, ...sent };
      const result = await sendBody<Schemas['AnsweredDto']>(server, path, 'request', body, {
        headers,
        signal: answer.signal,
      });
      return {
        state: result.state,
        answersRemaining: result.answers_remaining,
        isEncrypted: typeof recipient === 'string',
      };
    };
    if (typeof recipient !== 'string')
      return send(secret.text, await sendPlain(server, secret, answer, metadata));
    const envelope = envelopeOf(secret);
    const payload = await encryptPayloadFor(envelope, recipient).catch(known);
    return send(payload, await sendEncrypted(server, secret.files, envelope.files, answer, metadata));
  }

  async answers(
    urlToken: string,
    keyFile: string | undefined,
    { onUnreadable }: AnswersOptions,
  ): Promise<OpenedAnswer[]> {
    const identities =
      keyFile === undefined ? [] : await Promise.resolve(keyFile).then(identitiesIn).catch(known);
    const { answer_url_tokens } = await this.own(urlToken);
    const opened: OpenedAnswer[] = [];
    for (const token of answer_url_tokens) {
      const push = await retrieve(this.server, assertToken(token));
      if (push.payload === null) continue; // it has ended
      if (push.client_encrypted === true && identities.length === 0)
        throw new SealpushError('invalid', 'The answers are encrypted: their key file is needed.');
      try {
        opened.push({ urlToken: token, ...(await this.opened(push, push.payload, identities)) });
      } catch (error) {
        if (!onUnreadable || !(error instanceof SealpushError)) throw error;
        onUnreadable(token, error);
      }
    }
    return opened;
  }

  private async opened(
    push: Schemas['RetrievedPushDto'],
    payload: string,
    identities: readonly string[],
  ): Promise<OpenedPush> {
    return push.client_encrypted === true
      ? openedWith(this.server, push, await decryptPayloadWith(payload, identities).catch(known))
      : openedAsItIs(this.server, push);
  }

  async state(urlToken: string): Promise<{ state: 'open' | 'closed'; answersCame: number }> {
    const { state, answer_url_tokens } = await this.own(urlToken);
    return { state, answersCame: answer_url_tokens.length };
  }

  urlTokenOf(request: string): string {
    return /^https?:/i.test(request) ? parseRequestLink(request).urlToken : assertToken(request);
  }

  /** The server shows others what is asked, without the answers. */
  private async own(urlToken: string): Promise<Schemas['RequestWithAnswersDto']> {
    const path = `/api/v2/requests/${urlToken}`;
    const shown = await this.server.json<Partial<Schemas['RequestWithAnswersDto']>>('GET', path);
    if (!Array.isArray(shown.answer_url_tokens))
      throw new SealpushError('forbidden', 'Only the account that asked sees the answers to a request.');
    return shown as Schemas['RequestWithAnswersDto'];
  }

  private async asked(
    server: Server,
    { urlToken }: RequestLink,
    passphrase?: string,
    signal?: AbortSignal,
  ): Promise<Schemas['RequestDto']> {
    const headers = passphraseHeader(passphrase);
    const path = `/api/v2/requests/${urlToken}`;
    const shown = await server.json<Schemas['RequestDto'] | Schemas['ClosedRequestDto']>('GET', path, {
      headers,
      signal,
    });
    if (!('request' in shown)) throw new SealpushError('ended', 'This request is closed.');
    return shown;
  }
}

/** Nothing is sent if the server names another recipient than the link, or none. */
async function assertRecipient({ fragment }: RequestLink, recipient: string | undefined): Promise<void> {
  if (
    fragment === undefined
      ? recipient === undefined
      : recipient !== undefined && (await isFragmentOf(fragment, recipient))
  )
    return;
  if (fragment === undefined)
    throw new SealpushError('invalid_link', 'The link is incomplete: what follows # is missing.');
  throw recipientChanged();
}

function recipientChanged(): SealpushError {
  return new SealpushError(
    'recipient_changed',
    'The server names another key than the link. Nothing was sent.',
  );
}

function passphraseHeader(passphrase = ''): Record<string, string> {
  return passphrase === '' ? {} : { 'X-Push-Passphrase': encodeURIComponent(passphrase) };
}
