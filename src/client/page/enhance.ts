import { setUpCopyButtons } from './copy.js';
import { setUpRevealButtons } from './reveal.js';
import { setUpHideButtons } from './secrets.js';
import { text } from './texts.js';
import { showLocalTimes } from './times.js';

/** Adds the features of a page that need scripts. The page works without them too, less conveniently. */
export function enhance(root: ParentNode): void {
  setUpCopyButtons(root);
  setUpHideButtons(root);
  enhanceForms(root);
}

/** The same for a page that shows no secret, which loads less. */
export function enhanceForms(root: ParentNode): void {
  showLocalTimes(root);
  setUpTimeInputs(root);
  setUpRevealButtons(root);
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
