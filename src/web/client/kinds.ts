import { text } from './texts.js';

const LABELS = {
  text: 'script.labelText',
  url: 'script.labelUrl',
  qr: 'script.labelQr',
  file: 'script.labelFile',
} as const;

/** Shows only the fields of the chosen kind. Without scripts all of them are shown. */
export function showFieldsOfKind(form: HTMLFormElement): void {
  const update = () => {
    const kind = form.querySelector<HTMLInputElement>('[name="push[kind]"]:checked')?.value ?? 'text';
    const label = form.querySelector('label[for=payload]');
    if (label) label.textContent = text(LABELS[kind as keyof typeof LABELS]);
    form.querySelector<HTMLTextAreaElement>('#payload')?.setAttribute('rows', kind === 'text' ? '5' : '2');

    const files = form.querySelector<HTMLElement>('[data-field=files]');
    if (files) files.hidden = kind !== 'file';
    const input = files?.querySelector('input');
    if (input) input.disabled = kind !== 'file'; // hidden files are not sent

    const generator = form.querySelector<HTMLElement>('[data-generator]');
    if (generator) generator.hidden = kind !== 'text';
  };
  form.addEventListener('change', update);
  update();
}
