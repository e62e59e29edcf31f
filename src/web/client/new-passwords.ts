/** A button with `data-show` shows and hides what is typed in that field, so that it need not be typed twice. */
export function makeNewPasswordsReadable(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-show]')) {
    const field = document.getElementById(button.dataset.show ?? '');
    if (!(field instanceof HTMLInputElement)) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      const isShown = field.type === 'password';
      field.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', String(isShown));
    });
    field.form?.querySelector('[data-repeat]')?.remove();
    // no browser shall remember it as an ordinary text
    field.form?.addEventListener('submit', () => (field.type = 'password'));
  }
}
