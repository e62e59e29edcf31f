import { showText } from '../page/texts.js';
import { store, storedRecord } from './stored.js';

const NAME = 'sealpush.open';

/**
 * The parts of the form that are behind one line: which are open is remembered in this browser, and the line of the
 * options says which of them are set.
 */
export function setUpFolds(form: HTMLFormElement): void {
  const wasOpen = storedRecord(NAME) ?? {};
  for (const fold of foldsIn(form)) {
    fold.open ||= wasOpen[fold.dataset.fold ?? ''] === true;
    fold.querySelector('summary')?.addEventListener('click', () => {
      store(NAME, { ...storedRecord(NAME), [fold.dataset.fold ?? '']: !fold.open }); // it is toggled after the click
    });
  }
  showSetOptions(form);
}

function foldsIn(form: HTMLFormElement): NodeListOf<HTMLDetailsElement> {
  return form.querySelectorAll<HTMLDetailsElement>('details[data-fold]');
}

function showSetOptions(form: HTMLFormElement): void {
  const place = form.querySelector('[data-set]');
  if (!place) return;
  const standard = place.textContent;
  const lists = new Intl.ListFormat(document.documentElement.lang, { style: 'narrow' });
  const update = () => {
    const set = setOptions(form);
    showText(place, set.length === 0 ? standard : lists.format(set));
  };
  for (const event of ['input', 'change']) form.addEventListener(event, update);
  form.addEventListener('reset', () => setTimeout(update)); // it is reset after the event
  update();
  const isSet = setOptions(form).length > 0;
  if (isSet) place.closest('details')?.setAttribute('open', '');
}

/** The options whose value is another one than usual, in words. */
function setOptions(form: HTMLFormElement): string[] {
  return [...form.querySelectorAll<HTMLElement>('[data-set-as]')]
    .filter(isSet)
    .map(({ dataset }) => dataset.setAs ?? '');
}

function isSet(option: HTMLElement): boolean {
  if (option.matches(':disabled')) return false; // it is not sent
  const { standard = '' } = option.dataset;
  if (option instanceof HTMLFieldSetElement) {
    const chosen = [...option.querySelectorAll<HTMLInputElement>(':checked')].map(({ value }) => value);
    return chosen.join(',') !== standard;
  }
  if (option instanceof HTMLInputElement && option.type === 'checkbox')
    return option.checked !== (standard !== '');
  return (option as HTMLInputElement | HTMLTextAreaElement).value !== '';
}
