import type { Shown } from '../page/texts.js';
import { show } from '../page/texts.js';

/** Something that an alert offers to do: a link in a new tab, or a button. */
export type Offer = { label: Shown } & ({ href: string } | { act: () => void });

/** Shows what has gone wrong above the form, and has screen readers announce it. */
export function showAlert(message: Shown, offers: Offer[] = []): void {
  showMessage('alert bad', message, offers);
}

/** The same for what has not gone wrong. */
export function showNotice(message: string): void {
  showMessage('alert', message, []);
}

function showMessage(className: string, message: Shown, offers: Offer[]): void {
  const alert = document.createElement('div');
  alert.className = className;
  const sentence = document.createElement('p');
  show(sentence, message);
  alert.append(sentence, ...(offers.length > 0 ? [tools(offers)] : []));
  const region = document.querySelector('[data-form-alert]');
  region?.replaceChildren(alert);
  region?.scrollIntoView({ block: 'center' });
}

export function clearAlert(): void {
  document.querySelector('[data-form-alert]')?.replaceChildren();
}

function tools(offers: Offer[]): HTMLElement {
  const row = document.createElement('p');
  row.className = 'tools';
  row.append(...offers.map(controlFor));
  return row;
}

function controlFor(offer: Offer): HTMLElement {
  const control = document.createElement('href' in offer ? 'a' : 'button');
  control.className = 'secondary small';
  show(control, offer.label);
  if (control instanceof HTMLAnchorElement && 'href' in offer) {
    control.href = offer.href;
    control.target = '_blank';
    control.rel = 'noopener';
    control.setAttribute('role', 'button');
  } else if (control instanceof HTMLButtonElement && 'act' in offer) {
    control.type = 'button';
    control.addEventListener('click', offer.act);
  }
  return control;
}
