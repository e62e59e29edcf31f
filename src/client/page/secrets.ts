import { setShowButton } from './show-button.js';

/** A button with `data-hide` hides and shows the secret beside it. It is shown at first. */
export function setUpHideButtons(root: ParentNode): void {
  for (const box of secretsIn(root)) {
    const button = buttonOf(box);
    if (!button) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      setHidden(box, box.dataset.secret !== 'hidden');
    });
  }
}

export function hideSecrets(root: ParentNode): void {
  for (const box of secretsIn(root)) setHidden(box, true);
}

/** Shows the secret that an element is a part of. */
export function showSecret(part: HTMLElement): void {
  const box = part.closest<HTMLElement>('[data-secret]');
  if (box) setHidden(box, false);
}

function setHidden(box: HTMLElement, isHidden: boolean): void {
  box.dataset.secret = isHidden ? 'hidden' : '';
  for (const part of box.querySelectorAll('[data-hideable]')) part.toggleAttribute('hidden', isHidden);
  box.querySelector('[data-dots]')?.toggleAttribute('hidden', !isHidden);
  const button = buttonOf(box);
  if (button) setShowButton(button, !isHidden);
}

function buttonOf(box: HTMLElement): HTMLButtonElement | null {
  return box.querySelector<HTMLButtonElement>('button[data-hide]');
}

function secretsIn(root: ParentNode): NodeListOf<HTMLElement> {
  return root.querySelectorAll<HTMLElement>('[data-secret]');
}
