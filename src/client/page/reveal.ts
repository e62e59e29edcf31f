import { setShowButton } from './show-button.js';

/** A button with `data-show` shows and hides what is typed in that field, so that it need not be typed twice. */
export function setUpRevealButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-show]')) {
    const field = document.getElementById(button.dataset.show ?? '');
    if (!(field instanceof HTMLInputElement)) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      setShown(field, button, field.type === 'password');
    });
    field.form?.querySelector('[data-repeat]')?.remove();
    field.form?.addEventListener('submit', () => {
      setShown(field, button, false); // browsers remember what they send from a visible field as an ordinary text
    });
  }
}

/** Shows a field that can be hidden. */
export function showField(field: HTMLElement): void {
  const button = document.querySelector<HTMLButtonElement>(`button[data-show="${field.id}"]`);
  if (button && field instanceof HTMLInputElement) setShown(field, button, true);
}

function setShown(field: HTMLInputElement, button: HTMLButtonElement, isShown: boolean): void {
  field.type = isShown ? 'text' : 'password';
  setShowButton(button, isShown);
}
