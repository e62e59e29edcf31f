/** Chooses files as what is shared, in a form that has the choice. */
export function chooseKindOfFiles(form: HTMLFormElement): void {
  const kind = form.querySelector<HTMLInputElement>('[name="push[kind]"][value=file]');
  if (!kind || kind.checked) return;
  kind.checked = true;
  kind.dispatchEvent(new Event('change', { bubbles: true }));
}
