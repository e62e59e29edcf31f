import { text } from './texts.js';

/** Lets a passphrase be shown and hidden. Returns what shows one. */
export function offerReveal(form: HTMLFormElement): (field: HTMLElement) => void {
  const show = (field: HTMLElement | null, isShown: boolean) => {
    const button = form.querySelector(`[data-reveal="${field?.id ?? ''}"]`);
    if (!button || !(field instanceof HTMLInputElement)) return;
    field.type = isShown ? 'text' : 'password';
    button.textContent = text(isShown ? 'script.hidePassphrase' : 'script.showPassphrase');
  };
  for (const button of form.querySelectorAll<HTMLElement>('[data-reveal]')) {
    const field = form.querySelector<HTMLInputElement>(`#${button.dataset.reveal ?? ''}`);
    button.addEventListener('click', () => {
      show(field, field?.type === 'password');
    });
    form.addEventListener('submit', () => {
      show(field, false); // browsers offer to fill in again what they send from a visible field
    });
  }
  return (field) => {
    show(field, true);
  };
}
