import { text } from './texts.js';

/** Counts what is selected in a list, and selects all of it. What the list shows may be replaced later. */
export function setUpSelection(): void {
  if (!document.querySelector('[data-bulk]')) return;
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.closest('[data-select-all]'))
      for (const box of boxes()) box.checked = target.checked;
    showSelection();
  });
  document.addEventListener('reset', () => setTimeout(showSelection)); // when the boxes are empty
  addEventListener('pageshow', showSelection); // also when the browser has restored what was selected
  showSelection();
}

export function showSelection(): void {
  const all = boxes();
  const selected = all.filter((box) => box.checked).length;
  const count = document.querySelector('output[data-selected]');
  if (count) count.textContent = text('script.selected', { count: selected });
  for (const label of document.querySelectorAll<HTMLElement>('[data-select-all]')) {
    label.hidden = all.length === 0;
    const box = label.querySelector('input');
    if (!box) continue;
    box.checked = all.length > 0 && selected === all.length;
    box.indeterminate = selected > 0 && !box.checked;
  }
}

function boxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>('input[name=url_tokens][type=checkbox]')];
}
