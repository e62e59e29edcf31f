const MAX_REDIRECTS = 20;

/** What a browser shows after it has followed the redirects. */
export interface Page {
  url: string;
  status: number;
  body: string;
}

/** A browser without scripts, on the pages of several sites: keeps cookies, follows redirects and sends forms. */
export class Browser {
  /** By host, then by name. */
  private readonly jars = new Map<string, Map<string, string>>();

  async visit(url: string): Promise<Page> {
    return this.send(url);
  }

  /** Sends the form of a page that has all these fields, with what else it has filled in. */
  async submit(page: Page, fields: Record<string, string> = {}): Promise<Page> {
    const form = formsIn(page.body).find((it) => Object.keys(fields).every((name) => name in it.fields));
    if (!form)
      throw new Error(`no form with ${Object.keys(fields).join(', ')} at ${page.url}:\n${page.body}`);
    return this.post(new URL(form.action, page.url).href, { ...form.fields, ...fields });
  }

  async post(url: string, fields: Record<string, string>): Promise<Page> {
    return this.send(url, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** As the scripts of a site do. */
  async call(method: string, url: string, body?: object): Promise<Page> {
    const headers = { 'Content-Type': 'application/json' };
    return this.send(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  cookie(url: string, name: string): string | undefined {
    return this.jars.get(new URL(url).host)?.get(name);
  }

  private async send(to: string, init: RequestInit = {}): Promise<Page> {
    let url = new URL(to);
    let options = init;
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      const response = await fetch(url, {
        ...options,
        headers: { ...options.headers, 'Sec-Fetch-Site': 'same-origin', Cookie: this.cookiesFor(url) },
        redirect: 'manual',
      });
      this.keep(url, response.headers);
      const location = response.headers.get('location');
      const body = await response.text();
      if (location === null) return { url: url.href, status: response.status, body };
      url = new URL(location, url);
      options = {};
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects from ${to}`);
  }

  private cookiesFor({ host }: URL): string {
    return [...(this.jars.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keep({ host }: URL, headers: Headers): void {
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      const expires = /;\s*expires=([^;]+)/i.exec(cookie)?.[1];
      const hasEnded = value === '' || (expires !== undefined && Date.parse(expires) < Date.now());
      if (hasEnded) jar.delete(name);
      else jar.set(name, value);
    }
  }
}

interface Form {
  action: string;
  fields: Record<string, string>;
}

function formsIn(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', content = '']) => ({
    action: attribute(attributes, 'action') ?? '',
    fields: Object.fromEntries(
      [...content.matchAll(/<(?:input|button)\b([^>]*)>/gs)]
        .map(([, field = '']) => [attribute(field, 'name') ?? '', attribute(field, 'value') ?? ''])
        .filter(([name]) => name !== ''),
    ) as Record<string, string>,
  }));
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 's').exec(tag)?.[1];
  const entities: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'", '#x27': "'" };
  return value?.replaceAll(/&([\w#]+);/g, (entity, key: string) => entities[key] ?? entity);
}
