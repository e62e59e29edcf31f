import { text } from './texts.js';
import { setUpCopyButtons } from './copy.js';
import { setUpRevealButtons } from './reveal.js';
import { setUpHideButtons } from './secrets.js';
import { showLocalTimes } from './times.js';

/** Counts what is selected in a list, and hides what can be done with it while that is nothing. */
function countSelection(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('form.selection');
  const count = form?.querySelector('output');
  if (!form || !count) return;
  const show = () => {
    const selected = document.querySelectorAll('input[name=url_tokens]:checked').length;
    form.hidden = selected === 0;
    count.textContent = text('script.selected', { count: selected });
  };
  document.addEventListener('change', show);
  addEventListener('pageshow', show); // also when the browser has restored what was selected
  show();
}

/** Adds the features of a page that need scripts. The page works without them too, less conveniently. */
export function enhance(root: ParentNode): void {
  setUpCopyButtons(root);
  setUpHideButtons(root);
  showLocalTimes(root);
  setUpRevealButtons(root);
  countSelection(root);
}
