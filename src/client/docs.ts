import { text } from './page/texts.js';
import { enhance } from './page/enhance.js';

const MAX_SHOWN_BYTES = 2_000_000;

/** Shows the status, the headers and the body of a response, as text. */
async function showResponse(root: HTMLElement, response: Response): Promise<void> {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const status = document.createElement('p');
  status.className = 'response-status';
  status.textContent = `${response.status} ${response.statusText}`.trim(); // HTTP/2 has no such text
  root.replaceChildren(status, ...(await shown(response)), block(headers, 'headers'));
}

/** The body, unless it is not text or too long. */
async function shown(response: Response): Promise<HTMLElement[]> {
  const type = response.headers.get('Content-Type') ?? '';
  const length = Number(response.headers.get('Content-Length'));
  if (!/^text\/|\bjson\b/.test(type) || length > MAX_SHOWN_BYTES) {
    await response.body?.cancel();
    return length > 0 ? [block(text('script.bodyNotShown', { length }), 'body')] : [];
  }
  const body = await response.text();
  return body === '' ? [] : [block(/\bjson\b/.test(type) ? indented(body) : body, 'body')];
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function block(content: string, name: string): HTMLElement {
  const element = document.createElement('pre');
  element.className = name;
  element.translate = false;
  element.textContent = content;
  return element;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The request that a form of the API documentation describes. Cookies are left out: the API accepts none. */
function requestOf(form: HTMLFormElement, token: string): { url: string; options: RequestInit } {
  const headers = new Headers(valuesIn(form, 'header'));
  if (token !== '' && form.querySelector('[data-in="token"]'))
    headers.set('Authorization', `Bearer ${token}`);
  const body = bodyOf(form);
  if (typeof body === 'string') headers.set('Content-Type', 'application/json');
  const method = form.dataset.method ?? 'GET';
  return { url: urlOf(form), options: { method, headers, body, credentials: 'omit', cache: 'no-store' } };
}

function urlOf(form: HTMLFormElement): string {
  const path = valuesIn(form, 'path').reduce(
    (url, [name, value]) => url.replace(`{${name}}`, () => encodeURIComponent(value)),
    form.dataset.path ?? '',
  );
  const query = new URLSearchParams(valuesIn(form, 'query')).toString();
  return query === '' ? path : `${path}?${query}`;
}

function bodyOf(form: HTMLFormElement): BodyInit | undefined {
  const body = form.querySelector<HTMLFieldSetElement>('fieldset:enabled');
  if (!body) return undefined;
  const json = body.querySelector<HTMLTextAreaElement>('[data-in="json"]');
  if (json) return json.value;
  const texts = valuesIn(body, 'body');
  if (body.dataset.type !== 'multipart/form-data') return new URLSearchParams(texts);
  const parts = new FormData();
  for (const [name, value] of texts) parts.append(name, value);
  for (const { name, files } of body.querySelectorAll<HTMLInputElement>('[type="file"]'))
    for (const file of files ?? []) parts.append(name, file);
  return parts;
}

/** The fields of one part of the request that are filled in. */
function valuesIn(root: ParentNode, part: string): [string, string][] {
  return [...root.querySelectorAll<Field>(`[data-in="${part}"]:not([type="file"])`)]
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => [name, value]);
}

/** The API token, shared by all forms. It is kept nowhere else, so it is gone when the page is left. */
let token = '';

/** Shows the buttons that bring up the form of an operation. */
function setUpTryOut(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-try]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      replaceByForm(button);
    });
  }
}

function replaceByForm(button: HTMLButtonElement): void {
  const template = button.nextElementSibling as HTMLTemplateElement;
  const form = (template.content.cloneNode(true) as DocumentFragment).querySelector('form');
  if (!form) return;
  button.replaceWith(form);
  shareToken(form);
  chooseBody(form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  form.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
}

function shareToken(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('[data-in="token"]');
  if (!input) return;
  input.value = token;
  input.addEventListener('input', () => {
    token = input.value;
    for (const other of document.querySelectorAll<HTMLInputElement>('[data-in="token"]')) other.value = token;
  });
}

/** Shows the fields of the chosen media type only. */
function chooseBody(form: HTMLFormElement): void {
  const choice = form.querySelector<HTMLSelectElement>('[data-in="type"]');
  choice?.addEventListener('change', () => {
    for (const body of form.querySelectorAll('fieldset'))
      body.hidden = body.disabled = body.dataset.type !== choice.value;
  });
}

async function send(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button');
  const output = form.querySelector<HTMLElement>('[data-response]');
  if (!button || !output) return;
  button.disabled = true;
  output.replaceChildren();
  try {
    const { url, options } = requestOf(form, token);
    await showResponse(output, await fetch(url, options));
  } catch (error) {
    output.textContent = text('script.requestFailed', { error: String(error) });
  } finally {
    button.disabled = false;
  }
}

/** The origin of the commands if the installation has no PUBLIC_URL. */
const EXAMPLE_ORIGIN = 'https://push.example.org';

for (const command of document.querySelectorAll('.curl pre'))
  command.textContent = command.textContent.replace(EXAMPLE_ORIGIN, location.origin);
enhance(document);
setUpTryOut();
openTarget();
addEventListener('hashchange', openTarget);

/** Opens the operation or schema that the fragment names, also where the browser does not. */
function openTarget(): void {
  const details = document.getElementById(location.hash.slice(1))?.closest('details');
  if (details) details.open = true;
}
