type Field = HTMLInputElement | HTMLTextAreaElement;

/** The request that a form of the API documentation describes. Cookies are left out: the API accepts none. */
export function requestOf(form: HTMLFormElement, token: string): { url: string; options: RequestInit } {
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
