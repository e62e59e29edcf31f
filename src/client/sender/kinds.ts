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
    const payload = form.querySelector<HTMLTextAreaElement>('#payload');
    payload?.setAttribute('rows', kind === 'text' ? '5' : '2');
    payload?.classList.toggle('address', kind === 'url');

    const files = form.querySelector<HTMLElement>('[data-field=files]');
    if (files) files.hidden = kind !== 'file';
    const input = form.querySelector<HTMLInputElement>('input[type=file]');
    if (input) input.disabled = kind !== 'file'; // hidden files are not sent

    const generator = form.querySelector<HTMLElement>('[data-generator=payload]');
    if (generator) generator.hidden = kind !== 'text';
  };
  form.addEventListener('change', update);
  update();
  form.querySelector('[data-sign-in]')?.removeAttribute('hidden'); // it opens another tab, so that nothing is lost
}

export function kindIn(form: HTMLFormElement): string {
  return form.querySelector<HTMLInputElement>('[name="push[kind]"]:checked')?.value ?? 'text';
}
