import { showText, text } from '../page/texts.js';
import { localTime } from '../page/times.js';
import { DAY_MS, MINUTE_MS } from '../../platform/settings/units.js';

/** Says in words how long the link works, and when that is over in the time zone of the reader. */
export function showLimits(form: HTMLFormElement): void {
  const limits = form.querySelector('[data-terms]');
  const end = form.querySelector('[data-ends]');
  if (!limits || !end) return;
  const update = () => {
    showText(limits, limitsOf(form) || text('script.limitsMissing'));
    showText(end, endOf(form));
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

/** As the server says it in limits.tsx. Empty while a number is missing or out of bounds. */
function limitsOf(form: HTMLFormElement): string {
  const views = chosenNumber(form, 'push[expire_after_views]', 'expire_after_views');
  const time = lifetimeInWords(form);
  if (views === undefined || time === '') return '';
  return text('script.limits', { views, time });
}

function lifetimeInWords(form: HTMLFormElement): string {
  const choice = checked(form, 'push[expire_after_duration]');
  if (choice?.dataset.lifetime !== undefined) return choice.labels?.[0]?.textContent ?? '';
  const count = chosenNumber(form, 'push[expire_after_duration]', 'expire_after_days');
  if (count === undefined) return '';
  return text('script.days', { count });
}

/** Empty while a number is missing or out of bounds. */
function endOf(form: HTMLFormElement): string {
  const views = chosenNumber(form, 'push[expire_after_views]', 'expire_after_views');
  const lifetime = chosenLifetime(form);
  if (views === undefined || lifetime === undefined) return '';
  const time = localTime(new Date(Date.now() + lifetime), 'weekday');
  return text('script.ends', { views, time });
}

function chosenLifetime(form: HTMLFormElement): number | undefined {
  const lifetime = checked(form, 'push[expire_after_duration]')?.dataset.lifetime;
  if (lifetime !== undefined) return Number(lifetime);
  const days = chosenNumber(form, 'push[expire_after_duration]', 'expire_after_days');
  return days === undefined ? undefined : days * DAY_MS;
}

/** The chosen option, or the number typed in for the last one. */
function chosenNumber(form: HTMLFormElement, name: string, custom: string): number | undefined {
  const option = checked(form, name)?.value;
  if (option !== 'custom') return option === undefined ? undefined : Number(option);
  const input = form.querySelector<HTMLInputElement>(`#${custom}`);
  return input?.value && input.validity.valid ? input.valueAsNumber : undefined;
}

function checked(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector(`[name="${name}"]:checked`);
}
