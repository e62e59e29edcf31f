import { setUpCopyButtons } from './copy.js';
import { setUpRevealButtons } from './reveal.js';
import { setUpHideButtons } from './secrets.js';
import { text } from './texts.js';
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

/** Has times be read in the zone of this browser: the hidden field beside each says how far that is from UTC then. */
function setUpTimeInputs(root: ParentNode): void {
  for (const zone of root.querySelectorAll<HTMLInputElement>('input[data-zone-of]')) {
    const time = zone.parentElement?.querySelector<HTMLInputElement>('input[type=datetime-local]');
    const hint = zone.parentElement?.querySelector('.hint');
    if (!time) continue;
    if (hint) hint.textContent = text('script.timeZone', { zone: nameOfZone() });
    const update = () => (zone.value = offsetAt(time.value));
    time.addEventListener('input', update);
    addEventListener('pageshow', update); // also when the browser has restored what was typed
    update();
  }
}

function nameOfZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Such as `+01:00`, at a local time, which may be in another season than now. */
function offsetAt(time: string): string {
  const minutes = time === '' ? 0 : -new Date(time).getTimezoneOffset();
  const part = (number: number) => String(Math.floor(number)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${part(Math.abs(minutes) / 60)}:${part(Math.abs(minutes) % 60)}`;
}
