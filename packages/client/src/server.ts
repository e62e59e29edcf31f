import type { components } from './api-types.js';
import type { FieldErrors } from './errors.js';
import { NetworkError, ResponseError, SealpushError } from './errors.js';

/** How a client reaches an installation. */
export interface ServerOptions {
  /** The base URL of the installation, such as `https://push.example.org`. */
  server: string;
  /** An API token; without one, what is sent is nobody's. */
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
    this.token = token;
    this.fetch = ownFetch ?? ((...request) => fetch(...request));
  }

  /** @throws SealpushError */
  async json<Content>(method: string, path: string, options: RequestOptions = {}): Promise<Content> {
    const response = await this.send(method, path, options);
    const content = await contentOf(response);
    if (!response.ok) throw refusal(response, content, options.headers ?? {});
    if (typeof content !== 'object' || content === null) throw unexpected(this.baseUrl);
    return content as Content;
  }

  /** Whether it is Sealpush, and not another server of this API. */
  isSealpush(signal?: AbortSignal): Promise<boolean> {
    this.sealpush ??= this.json<Partial<components['schemas']['VersionDto']>>('GET', '/api/v2/version', {
      signal,
    }).then(({ features }) => features?.pushes.changes !== undefined);
    this.sealpush.catch(() => (this.sealpush = undefined));
    return this.sealpush;
  }

  /**
   * Sends one request, with the token. It is not redirected: the token and what is sent are for this server only.
   * @throws NetworkError when there is no response
   */
  async send(
    method: string,
    path: string,
    { json, body, headers, signal }: RequestOptions = {},
  ): Promise<Response> {
    return this.fetched(path.startsWith('http') ? path : this.baseUrl + path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(this.token !== undefined && { Authorization: `Bearer ${this.token}` }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
      signal,
    });
  }

  /**
   * What a download link gives. It needs no token, and gets none: it may be on another host.
   * @throws SealpushError
   */
  async download(url: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    const response = await this.fetched(url, { headers, signal });
    if (!response.ok) throw refusal(response, await contentOf(response), {});
    return response;
  }

  private async fetched(url: string, request: RequestInit): Promise<Response> {
    try {
      return await this.fetch(url, { redirect: 'error', credentials: 'omit', cache: 'no-store', ...request });
    } catch (error) {
      request.signal?.throwIfAborted();
      throw new NetworkError(new URL(url).origin, error);
    }
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

/** Undefined if it is not JSON. */
async function contentOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** The server says only `not-found`. */
const NOT_FOUND = 'The server has no such push, request or file.';

function refusal(
  { status, headers, url }: Response,
  content: unknown,
  sent: Record<string, string>,
): SealpushError {
  if (status < 400) return unexpected(new URL(url).origin);
  const { error, status: kind } = (content ?? {}) as { error?: unknown; status?: unknown };
  const said = typeof error === 'string' ? error : undefined;
  const retryAfter = Number(headers.get('Retry-After') ?? NaN);
  const fields = status === 422 && said === undefined ? fieldErrors(content) : undefined;
  const message = fields ? sentenceOf(fields) : status === 404 ? NOT_FOUND : said;
  return new ResponseError(
    codeOf(status, kind, said, sent),
    message ?? `The server responded with status ${status}.`,
    status,
    Number.isInteger(retryAfter) ? retryAfter : undefined,
    fields,
  );
}

function codeOf(status: number, kind: unknown, said: string | undefined, sent: Record<string, string>) {
  if (status === 401 && kind === 'unauthorized') {
    if (said !== undefined && /\bcode\b/.test(said)) return 'code_needed';
    return sent['X-Push-Passphrase'] === undefined ? 'passphrase_needed' : 'passphrase_wrong';
  }
  if (status === 404) return 'not_found';
  if (status === 410) return 'ended';
  if (status === 401) return 'token_needed';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'too_many_requests';
  return status >= 500 || status === 408 ? 'unavailable' : 'invalid';
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
  return `The server does not accept it: ${sentences.join('; ')}.`;
}

function unexpected(origin: string): SealpushError {
  return new SealpushError('unexpected', `${origin} does not respond as an installation of this API.`);
}
