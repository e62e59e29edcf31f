import { text } from '../page/texts.js';
import { withWeekday } from '../page/times.js';
import { DAY_MS, MINUTE_MS } from '../../platform/settings/units.js';

/** Says in one sentence when the secret will be gone, in the time zone of the reader. */
export function showEnd(form: HTMLFormElement): void {
  const sentence = form.querySelector<HTMLElement>('[data-ends]');
  if (!sentence) return;
  const update = () => {
    const said = sentenceFor(form);
    if (sentence.textContent !== said) sentence.textContent = said;
  };
  form.addEventListener('input', update);
  form.addEventListener('change', update);
  update();
  const timer = setInterval(() => {
    if (form.isConnected) update();
    else clearInterval(timer);
  }, MINUTE_MS);
}

/** Empty while a number is missing or out of bounds. */
function sentenceFor(form: HTMLFormElement): string {
  const views = chosenNumber(form, 'push[expire_after_views]', 'expire_after_views');
  const lifetime = chosenLifetime(form);
  if (views === undefined || lifetime === undefined) return '';
  const time = withWeekday(new Date(Date.now() + lifetime));
  return views === 1 ? text('script.endsOnce', { time }) : text('script.endsAfter', { views, time });
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
