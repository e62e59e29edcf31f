import { text } from './texts.js';

const MAX_SHOWN_BYTES = 2_000_000;

/** Shows the status, the headers and the body of a response, as text. */
export async function showResponse(root: HTMLElement, response: Response): Promise<void> {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const status = document.createElement('p');
  status.className = 'status';
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
  element.textContent = content;
  return element;
}
