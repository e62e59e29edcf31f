import { showText, text } from '../page/texts.js';

const LABELS = {
  text: 'script.labelText',
  url: 'script.labelUrl',
  qr: 'script.labelQr',
  file: 'script.labelFile',
} as const;

/** Shows only the fields of the chosen kind. Without scripts all of them are shown. */
export function showFieldsOfKind(form: HTMLFormElement): void {
  const payload = form.querySelector<HTMLTextAreaElement>('#payload');
  const placeholder = payload?.dataset.placeholder ?? payload?.placeholder ?? '';
  const update = () => {
    const kind = kindIn(form);
    const isText = kind === 'text';
    const label = form.querySelector('label[for=payload]');
    if (label) {
      label.textContent = text(LABELS[kind as keyof typeof LABELS]);
      label.className = isText ? 'visually-hidden' : 'label'; // the placeholder says it
    }
    if (payload) showKind(payload, kind, placeholder);

    const offer = form.querySelector<HTMLElement>('[data-https]');
    if (offer) offer.hidden = kind !== 'url'; // it has its place from the start, so that no click misses its button
    const files = form.querySelector<HTMLElement>('[data-field=files]');
    if (files) files.hidden = kind !== 'file';
    const input = form.querySelector<HTMLInputElement>('input[type=file]');
    if (input) input.disabled = kind !== 'file'; // hidden files are not sent

    for (const part of form.querySelectorAll<HTMLElement>('[data-of-text], [data-generator=payload]'))
      part.hidden = !isText;
  };
  form.addEventListener('change', update);
  update();
  countCharacters(form, payload);
}

/** A message is the only kind in which not each character counts. */
function showKind(payload: HTMLTextAreaElement, kind: string, placeholder: string): void {
  payload.rows = kind === 'text' ? 4 : kind === 'file' ? 2 : 1;
  payload.placeholder = kind === 'text' ? placeholder : '';
  payload.classList.toggle('ltr', kind === 'url');
  payload.parentElement?.classList.toggle('message-composer', kind === 'file');
  payload.parentElement?.classList.toggle('short', kind !== 'text');
}

function countCharacters(form: HTMLFormElement, payload: HTMLTextAreaElement | null): void {
  const place = form.querySelector('[data-count]');
  if (!payload || !place) return;
  const update = () => {
    const count = [...payload.value].length;
    showText(place, count === 0 ? '' : text('script.characters', { count }));
  };
  for (const event of ['input', 'change']) form.addEventListener(event, update);
  form.addEventListener('reset', () => setTimeout(update)); // it is reset after the event
  update();
}

export function kindIn(form: HTMLFormElement): string {
  return form.querySelector<HTMLInputElement>('[name="push[kind]"]:checked')?.value ?? 'text';
}
