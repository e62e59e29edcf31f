import { showText, text } from '../page/texts.js';
import { localTime } from '../page/times.js';
import { DAY_MS, MINUTE_MS } from '../../platform/settings/units.js';

/** Says when the link ends at the latest, in the time zone of the reader. */
export function showLimits(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('[data-ends]');
  if (!place) return;
  const update = () => {
    const end = endOf(form);
    showText(place, end ? text('script.until', { time: localTime(end, 'deadline') }) : '');
    place.title = end ? localTime(end) : '';
  };
  form.addEventListener('input', update);
  form.addEventListener('change', update);
  update();
  const timer = setInterval(() => {
    if (form.isConnected) update();
    else clearInterval(timer);
  }, MINUTE_MS);
}

/** Lets what is typed into the fields of custom numbers replace what is there: otherwise it is added to those digits. */
export function replaceNumbers(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<HTMLInputElement>('#expire_after_views, #expire_after_days'))
    field.addEventListener('focus', () => {
      field.select();
    });
}

/** Undefined while a number is missing or out of bounds. */
function endOf(form: HTMLFormElement): Date | undefined {
  const lifetime = chosenLifetime(form);
  if (lifetime === undefined || !areViewsValid(form)) return undefined;
  return new Date(Date.now() + lifetime);
}

function chosenLifetime(form: HTMLFormElement): number | undefined {
  const { lifetime } = chosen(form, 'push[expire_after_duration]')?.dataset ?? {};
  if (lifetime !== undefined) return Number(lifetime);
  const days = form.querySelector<HTMLInputElement>('#expire_after_days');
  return days?.value && days.validity.valid ? days.valueAsNumber * DAY_MS : undefined;
}

function areViewsValid(form: HTMLFormElement): boolean {
  if (chosen(form, 'push[expire_after_views]')?.value !== 'custom') return true;
  const views = form.querySelector<HTMLInputElement>('#expire_after_views');
  return views !== null && views.value !== '' && views.validity.valid;
}

function chosen(form: HTMLFormElement, name: string): HTMLOptionElement | undefined {
  return form.querySelector<HTMLSelectElement>(`select[name="${name}"]`)?.selectedOptions[0];
}
