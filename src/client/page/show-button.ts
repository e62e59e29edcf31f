/** Has a `ShowButton` show what its next click does: its label and its eye. */
export function setShowButton(button: HTMLButtonElement, isShown: boolean): void {
  const { labelShow = '', labelHide = '' } = button.dataset;
  const label = isShown ? labelHide : labelShow;
  const words = button.querySelector('[data-words]');
  if (words) words.textContent = label;
  else button.setAttribute('aria-label', label);
  button.querySelectorAll('svg').forEach((icon, index) => {
    icon.toggleAttribute('hidden', (index === 1) !== isShown);
  });
}
