import { text } from '../page/texts.js';

const LABELS = {
  text: 'script.labelText',
  url: 'script.labelUrl',
  qr: 'script.labelQr',
  file: 'script.labelFile',
} as const;

/** Shows only the fields of the chosen kind. Without scripts all of them are shown. */
export function showFieldsOfKind(form: HTMLFormElement): void {
  const update = () => {
    const kind = kindIn(form);
    const label = form.querySelector('label[for=payload]');
    if (label) label.textContent = text(LABELS[kind as keyof typeof LABELS]);
    label?.classList.toggle('visually-hidden', kind === 'text'); // the page says it
    const payload = form.querySelector<HTMLTextAreaElement>('#payload');
    payload?.setAttribute('rows', kind === 'text' ? '3' : '1');
    payload?.classList.toggle('address', kind === 'url');

    const offer = form.querySelector<HTMLElement>('[data-https]');
    if (offer) offer.hidden = kind !== 'url'; // it has its place from the start, so that no click misses its button
    const files = form.querySelector<HTMLElement>('[data-field=files]');
    if (files) files.hidden = kind !== 'file';
    const input = form.querySelector<HTMLInputElement>('input[type=file]');
    if (input) input.disabled = kind !== 'file'; // hidden files are not sent

    const generator = form.querySelector<HTMLElement>('[data-generator=payload]');
    if (generator) generator.hidden = kind !== 'text';
  };
  form.addEventListener('change', update);
  update();
}

export function kindIn(form: HTMLFormElement): string {
  return form.querySelector<HTMLInputElement>('[name="push[kind]"]:checked')?.value ?? 'text';
}
