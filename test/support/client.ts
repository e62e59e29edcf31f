/** The response to a request. */
export interface ClientResponse<Body = any> {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, otherwise the text. */
  body: Body;
}

/** A client of the API, with or without a token. */
export class Client {
  constructor(
    readonly url: string,
    readonly headers: Record<string, string> = {},
  ) {}

  /** The same client with additional headers. */
  with(headers: Record<string, string>): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  /** The same client for another server. */
  at(url: string): Client {
    return new Client(url, this.headers);
  }

  get(path: string): Promise<ClientResponse> {
    return this.send('GET', path);
  }

  head(path: string): Promise<ClientResponse> {
    return this.send('HEAD', path);
  }

  delete(path: string): Promise<ClientResponse> {
    return this.send('DELETE', path);
  }

  /** Posts JSON; a string is sent as it is, a form or multipart body in its own encoding. */
  post(path: string, body: object | string): Promise<ClientResponse> {
    if (body instanceof FormData || body instanceof URLSearchParams) return this.send('POST', path, body);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send('POST', path, text, { 'Content-Type': 'application/json' });
  }

  /** Changes a push. */
  change(urlToken: string, fields: object): Promise<ClientResponse> {
    const body = JSON.stringify({ push: fields });
    return this.send('PATCH', `/api/v2/pushes/${urlToken}`, body, { 'Content-Type': 'application/json' });
  }

  /** Creates a push and returns the response body. */
  async push(fields: object): Promise<any> {
    const { status, body } = await this.post('/api/v2/pushes', { push: fields });
    if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Retrieves a push. */
  retrieve(urlToken: string, passphrase?: string): Promise<ClientResponse> {
    const query = passphrase === undefined ? '' : `?passphrase=${encodeURIComponent(passphrase)}`;
    return this.get(`/api/v2/pushes/${urlToken}${query}`);
  }

  async send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<ClientResponse> {
    const response = await fetch(this.url + path, {
      method,
      body,
      headers: { ...headers, ...this.headers },
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}
