const LABELS: Record<string, string> = {
  text: 'Secret',
  url: 'Address to lead to',
  qr: 'Content of the QR code',
  file: 'Message beside the files (optional)',
};

/** Shows only the fields of the chosen kind. Without scripts all of them are shown. */
export function showFieldsOfKind(form: HTMLFormElement): void {
  const update = () => {
    const kind = form.querySelector<HTMLInputElement>('[name="push[kind]"]:checked')?.value ?? 'text';
    const label = form.querySelector('label[for=payload]');
    if (label) label.textContent = LABELS[kind] ?? 'Secret';
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
