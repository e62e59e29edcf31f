import type { IconName } from '../../shared/icons.js';
import { icon } from '../page/icon.js';
import type { Shown } from '../page/texts.js';
import { show } from '../page/texts.js';

/** Something that an alert offers to do: a link in a new tab, or a button. */
export type Offer = { label: string } & ({ href: string } | { act: () => void });

/** Shows what has gone wrong above the form, and has screen readers announce it. */
export function showAlert(message: Shown, offers: Offer[] = []): void {
  showMessage('banner bad space', 'alert', message, offers);
}

/** The same for what has not gone wrong. */
export function showNotice(message: string): void {
  showMessage('banner space', 'info', message, []);
}

function showMessage(className: string, iconName: IconName, message: Shown, offers: Offer[]): void {
  const alert = document.createElement('div');
  alert.className = className;
  const content = document.createElement('div');
  const sentence = document.createElement('p');
  show(sentence, typeof message === 'string' ? withBoldStart(message) : message);
  content.append(sentence, ...(offers.length > 0 ? [tools(offers)] : []));
  alert.append(icon(iconName), content);
  const region = document.querySelector('[data-form-alert]');
  region?.replaceChildren(alert);
  region?.scrollIntoView({ block: 'center' });
}

/** What has happened in bold type, where what follows from it is said, too. */
function withBoldStart(message: string): Shown {
  const [, first, rest] = /^(.+?(?:\. |。))(.+)/.exec(message) ?? [];
  if (first === undefined || rest === undefined) return message;
  const strong = document.createElement('strong');
  strong.textContent = first;
  return [strong, rest];
}

export function clearAlert(): void {
  document.querySelector('[data-form-alert]')?.replaceChildren();
}

function tools(offers: Offer[]): HTMLElement {
  const row = document.createElement('p');
  row.className = 'row gap-sm';
  row.append(...offers.map(controlFor));
  return row;
}

function controlFor(offer: Offer): HTMLElement {
  const control = document.createElement('href' in offer ? 'a' : 'button');
  control.className = 'btn sm';
  control.textContent = offer.label;
  if (control instanceof HTMLAnchorElement && 'href' in offer) {
    control.href = offer.href;
    control.target = '_blank';
    control.rel = 'noopener';
  } else if (control instanceof HTMLButtonElement && 'act' in offer) {
    control.type = 'button';
    control.addEventListener('click', offer.act);
  }
  return control;
}
