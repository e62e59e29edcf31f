import type { ErrorCode, FieldErrors } from './errors.js';
import { NetworkError, ResponseError, SealpushError } from './errors.js';

/** More than any response of this API has: a text of 1,048,576 characters, each of them escaped. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Of a sentence that the server gives as the reason of an error. */
const MAX_MESSAGE = 500;

/** How a client reaches an installation. */
export interface ServerOptions {
  /** The base URL of the installation, such as `https://push.example.org`. */
  server: string;
  /** An API token; without one, what is sent is nobody's. Whitespace around it does not count. */
  token?: string;
  /** Replaces the `fetch` of the platform, for example to use a proxy. */
  fetch?: typeof fetch;
}

interface RequestOptions {
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends requests to one installation. */
export class Server {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  private readonly token: string | undefined;
  private readonly fetch: typeof fetch;
  private sealpush?: Promise<boolean>;

  constructor({ server, token, fetch: ownFetch }: ServerOptions) {
    this.baseUrl = baseUrlOf(server);
    this.token = tokenOf(token);
    this.fetch = ownFetch ?? ((...request) => fetch(...request));
  }

  /** @throws SealpushError */
  async json<Content>(method: string, path: string, options: RequestOptions = {}): Promise<Content> {
    const { response, content } = await this.send(method, path, options);
    if (!response.ok) throw this.refusal(response, content, options.headers ?? {});
    if (typeof content !== 'object' || content === null) throw this.unexpected();
    return content as Content;
  }

  /** Whether it is Sealpush, and not another server of this API. */
  isSealpush(signal?: AbortSignal): Promise<boolean> {
    this.sealpush ??= this.hasChanges(signal);
    this.sealpush.catch(() => (this.sealpush = undefined));
    return this.sealpush;
  }

  /** No other server of this API has changes of pushes. Some have no version. */
  private async hasChanges(signal?: AbortSignal): Promise<boolean> {
    try {
      const { features } = await this.json<{ features?: { pushes?: { changes?: unknown } | null } | null }>(
        'GET',
        '/api/v2/version',
        { signal },
      );
      return features?.pushes?.changes !== undefined;
    } catch (error) {
      if (error instanceof SealpushError && error.code === 'not_found') return false;
      throw error;
    }
  }

  /**
   * Sends one request, with the token. It is not redirected: the token and what is sent are for this server only. The
   * content is that of the JSON in the response, undefined if it is none, or more than this API has.
   * @throws NetworkError when there is no response, or it breaks off
   */
  async send(
    method: string,
    path: string,
    { json, body, headers, signal }: RequestOptions = {},
  ): Promise<{ response: Response; content: unknown }> {
    const url = path.startsWith('http') ? path : this.baseUrl + path;
    const response = await this.fetched(url, {
      method,
      redirect: 'error',
      headers: {
        Accept: 'application/json',
        ...(this.token !== undefined && { Authorization: `Bearer ${this.token}` }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
      signal,
    });
    return { response, content: await this.contentOf(response, signal) };
  }

  /**
   * What a download link gives, whatever its status. It needs no token, and gets none: it may be on another host, or lead
   * there.
   * @throws SealpushError `network` when there is no response, `unexpected` if it is no link
   */
  async download(url: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    if (!/^https?:/i.test(url) || !URL.canParse(url)) throw this.unexpected();
    return this.fetched(url, { headers, signal });
  }

  /** The error of a response with a status that is none of success. */
  async refusalOf(response: Response, signal?: AbortSignal): Promise<SealpushError> {
    return this.refusal(response, await this.contentOf(response, signal), {});
  }

  /** The server does not keep to the API. */
  unexpected(): SealpushError {
    return new SealpushError(
      'unexpected',
      `${new URL(this.baseUrl).origin} does not respond as an installation of this API.`,
    );
  }

  private async fetched(url: string, request: RequestInit): Promise<Response> {
    try {
      return await this.fetch(url, { credentials: 'omit', cache: 'no-store', ...request });
    } catch (error) {
      request.signal?.throwIfAborted();
      throw new NetworkError(new URL(url).origin, error);
    }
  }

  /** Undefined if it is not JSON, or too much of it. */
  private async contentOf(response: Response, signal?: AbortSignal): Promise<unknown> {
    const text = await textOf(response).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new NetworkError(new URL(this.baseUrl).origin, error);
    });
    try {
      return text === undefined ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  private refusal(
    { status, headers }: Response,
    content: unknown,
    sent: Record<string, string>,
  ): SealpushError {
    if (status < 400) return this.unexpected();
    const { error, status: kind } = (content ?? {}) as { error?: unknown; status?: unknown };
    const said = typeof error === 'string' ? error : undefined;
    const retryAfter = Number(headers.get('Retry-After') ?? NaN);
    const fields = status === 422 && said === undefined ? fieldErrors(content) : undefined;
    const message = fields ? sentenceOf(fields) : status === 404 ? NOT_FOUND : said && printable(said);
    return new ResponseError(
      isOfPassphrase(status, kind) ? codeOfPassphrase(said, sent) : codeOfStatus(status),
      message || `The server responded with status ${status}.`,
      status,
      Number.isInteger(retryAfter) ? retryAfter : undefined,
      fields,
    );
  }
}

function baseUrlOf(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new SealpushError(
      'invalid',
      'The server must be the URL of an installation, such as https://push.example.org.',
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * Errors of `fetch` repeat a header that it does not accept, so none gets there.
 * @throws SealpushError
 */
function tokenOf(token: string | undefined): string | undefined {
  const trimmed = token?.trim();
  if (trimmed !== undefined && !/^[!-~]+$/.test(trimmed))
    throw new SealpushError('token_needed', 'This is not an API token.');
  return trimmed;
}

/** The body of a response; undefined if it is longer than any of this API. */
async function textOf({ body }: Response): Promise<string | undefined> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_JSON_BYTES) {
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The server says only `not-found`. */
const NOT_FOUND = 'The server has no such push, request or file.';

/** A 401 that no token would change. */
function isOfPassphrase(status: number, kind: unknown): boolean {
  return status === 401 && kind === 'unauthorized';
}

function codeOfPassphrase(said: string | undefined, sent: Record<string, string>): ErrorCode {
  if (said !== undefined && /\bcode\b/.test(said)) return 'code_needed';
  return sent['X-Push-Passphrase'] === undefined ? 'passphrase_needed' : 'passphrase_wrong';
}

export function codeOfStatus(status: number): ErrorCode {
  if (status === 404) return 'not_found';
  if (status === 410) return 'ended';
  if (status === 401) return 'token_needed';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'too_many_requests';
  return status >= 500 || status === 408 ? 'unavailable' : 'invalid';
}

/** What a server says may be shown in a terminal: it cannot move the cursor there, or fill it. */
function printable(text: string): string {
  return text.slice(0, MAX_MESSAGE).replace(/[\p{Cc}\p{Cf}]/gu, ' ');
}

function fieldErrors(content: unknown): FieldErrors | undefined {
  const isFields =
    typeof content === 'object' &&
    content !== null &&
    Object.values(content).every(
      (messages) => Array.isArray(messages) && messages.every((one) => typeof one === 'string'),
    );
  return isFields ? (content as FieldErrors) : undefined;
}

function sentenceOf(fields: FieldErrors): string {
  const sentences = Object.entries(fields).flatMap(([field, messages]) =>
    messages.map((message) => (field === 'base' ? message : `${field} ${message}`)),
  );
  return printable(`The server does not accept it: ${sentences.join('; ')}.`);
}
