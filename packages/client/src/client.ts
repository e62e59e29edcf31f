import type { components } from './api-types.js';
import { assertToken, parsePushLink } from './link.js';
import type {
  AnswerResult,
  AnswersOptions,
  NewAnswer,
  NewRequest,
  OpenedAnswer,
  RequestDetails,
  RequestResult,
} from './requests.js';
import { Requests } from './requests.js';
import type { NewPush, PushResult } from './new-push.js';
import { sendPush } from './new-push.js';
import type { OpenedPush, OpenOptions } from './opened-push.js';
import { openPush } from './opened-push.js';
import type { ServerOptions } from './server.js';
import { Server } from './server.js';

type Schemas = components['schemas'];
export type Push = Schemas['PushDto'];
export type OwnPush = Schemas['OwnPushDto'];
export type AuditEntry = Schemas['AuditEntryWithMailsDto'];
export type Generated = Schemas['GeneratedDto'];
export type NewSecrets = Schemas['NewSecrets'];
export type Version = Schemas['VersionDto'];

/** What can be asked about a link without using a view. */
export interface Preview {
  /** Whether a client has encrypted it, so that the link needs what follows `#`. */
  isEncrypted: boolean;
}

/** One installation, with or without an API token. Every method rejects with a `SealpushError`. */
export class SealpushClient {
  private readonly server: Server;
  private readonly requests: Requests;

  constructor(private readonly options: ServerOptions) {
    this.server = new Server(options);
    this.requests = new Requests(this.server);
  }

  /** What the installation is and offers. */
  version(): Promise<Version> {
    return this.server.json('GET', '/api/v2/version');
  }

  /** Sends a secret, encrypted here before, and returns its link. */
  push(secret: NewPush): Promise<PushResult> {
    return sendPush(this.server, secret);
  }

  /**
   * Opens a link of this or of another installation, which counts as a view. A link that was cut, or does not fit what
   * the server has, uses none.
   */
  async open(link: string, options: OpenOptions = {}): Promise<OpenedPush> {
    const parsed = parsePushLink(link, this.server.baseUrl);
    return openPush(this.serverOf(parsed.server), parsed, options);
  }

  /** Looks whether a link opens something. It uses no view, and says nothing of the secret. */
  async preview(link: string): Promise<Preview> {
    const { server, urlToken } = parsePushLink(link, this.server.baseUrl);
    const path = `/api/v2/pushes/${urlToken}/preview`;
    const preview = await this.serverOf(server).json<Schemas['PreviewDto']>('GET', path);
    return { isEncrypted: preview.client_encrypted === true };
  }

  /** Has a code mailed to a recipient of a push that names who may open it. The server never says whether it names them. */
  async askCode(link: string, email: string): Promise<void> {
    const { server, urlToken } = parsePushLink(link, this.server.baseUrl);
    await this.serverOf(server).json('POST', `/api/v2/pushes/${urlToken}/code`, { json: { email } });
  }

  /** Ends a push, given its link or URL token. */
  async expire(push: string): Promise<Push> {
    return this.server.json('DELETE', `/api/v2/pushes/${this.urlTokenOf(push)}`);
  }

  /** A page of 50 pushes of the account, newest first, from 1 on. */
  async list(state: 'active' | 'expired', page = 1): Promise<OwnPush[]> {
    const pushes = await this.server.json<OwnPush[]>('GET', `/api/v2/pushes/${state}?page=${page}`);
    if (!Array.isArray(pushes)) throw this.server.unexpected();
    return pushes;
  }

  /** A page of 50 entries of what happened to a push, oldest first. */
  async audit(push: string, page = 1): Promise<AuditEntry[]> {
    const path = `/api/v2/pushes/${this.urlTokenOf(push)}/audit?page=${page}`;
    const { logs } = await this.server.json<{ logs: AuditEntry[] }>('GET', path);
    if (!Array.isArray(logs)) throw this.server.unexpected();
    return logs;
  }

  /** Makes random passwords, passphrases or PINs on the server. */
  generate(secrets: NewSecrets = {}): Promise<Generated> {
    return this.server.json('POST', '/api/v2/generate', { json: secrets });
  }

  /** Asks somebody for a secret. Keep `keyFile`: only it decrypts the answers. */
  request(request: NewRequest): Promise<RequestResult> {
    return this.requests.create(request);
  }

  /** What is asked by the link to a request. */
  show(link: string, passphrase?: string): Promise<RequestDetails> {
    return this.requests.show(link, passphrase, (server) => this.serverOf(server));
  }

  /** Answers a request, encrypted for whoever asks if the link says for whom. */
  answer(link: string, answer: NewAnswer): Promise<AnswerResult> {
    return this.requests.answer(link, answer, (server) => this.serverOf(server));
  }

  /** How many answers a request of the account has. */
  async requestState(request: string): Promise<{ state: 'open' | 'closed'; answersCame: number }> {
    return this.requests.state(this.requests.urlTokenOf(request));
  }

  /** Closes a request of the account; its answers stay. */
  async closeRequest(request: string): Promise<void> {
    await this.server.json('DELETE', `/api/v2/requests/${this.requests.urlTokenOf(request)}`);
  }

  /** The answers to a request of the account, decrypted with the content of its key file. It uses no view of them. */
  async answers(request: string, keyFile?: string, options: AnswersOptions = {}): Promise<OpenedAnswer[]> {
    return this.requests.answers(this.requests.urlTokenOf(request), keyFile, options);
  }

  /** The token is for its own installation only. */
  private serverOf(baseUrl: string): Server {
    return baseUrl === this.server.baseUrl
      ? this.server
      : new Server({ ...this.options, server: baseUrl, token: undefined });
  }

  private urlTokenOf(push: string): string {
    return /^https?:/i.test(push) ? parsePushLink(push).urlToken : assertToken(push);
  }
}
