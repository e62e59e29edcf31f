import { setUpCopyButtons } from './copy.js';
import { setUpRevealButtons } from './reveal.js';
import { setUpHideButtons } from './secrets.js';
import { text } from './texts.js';
import { setUpTimeInputs } from './time-inputs.js';
import { showLocalTimes } from './times.js';

/** Counts what is selected in a list, selects all of it, and hides what can be done with it while that is nothing. */
function setUpSelection(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('form.selection');
  const count = form?.querySelector('output');
  const all = root.querySelector<HTMLInputElement>('.select-all input');
  if (!form || !count || !all) return;
  const boxes = [...root.querySelectorAll<HTMLInputElement>('input[name=url_tokens][type=checkbox]')];
  const show = () => {
    const selected = boxes.filter((box) => box.checked).length;
    form.hidden = selected === 0;
    count.textContent = text('script.selected', { count: selected });
    all.checked = selected === boxes.length;
    all.indeterminate = selected > 0 && !all.checked;
  };
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
  });
  document.addEventListener('change', show);
  addEventListener('pageshow', show); // also when the browser has restored what was selected
  all.closest('label')?.removeAttribute('hidden');
  show();
}

/** Adds the features of a page that need scripts. The page works without them too, less conveniently. */
export function enhance(root: ParentNode): void {
  setUpCopyButtons(root);
  setUpHideButtons(root);
  showLocalTimes(root);
  setUpTimeInputs(root);
  setUpRevealButtons(root);
  setUpSelection(root);
}
