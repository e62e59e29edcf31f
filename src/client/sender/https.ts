import { kindIn } from './kinds.js';
import { insertText } from './insert-text.js';
import { show, textWithData } from '../page/texts.js';

/** Delay after the last key. */
const PAUSE_MS = 500;

/** Offers to complete a web address that was typed without `https://`, and does so when it is sent. */
export function setUpHttpsOffer(form: HTMLFormElement): void {
  const payload = form.querySelector<HTMLTextAreaElement>('#payload');
  const place = form.querySelector<HTMLElement>('[data-https]');
  if (!payload || !place) return;
  let offered: string | undefined;
  let timer: number | undefined;
  const offer = () => {
    clearTimeout(timer);
    const url = kindIn(form) === 'url' ? completed(payload.value) : undefined;
    if (url === offered) return; // its button may have the focus
    offered = url;
    place.replaceChildren(...(url === undefined ? [] : [button(payload, url)]));
  };
  // what is being pressed must not move away below the pointer
  let isPressing = false;
  const offerUnlessPressing = () => {
    if (!isPressing) offer();
  };
  addEventListener('pointerdown', () => (isPressing = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel'])
    addEventListener(end, () => {
      isPressing = false;
      setTimeout(offer); // after the click
    });
  payload.addEventListener('blur', offerUnlessPressing);
  payload.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(offer, PAUSE_MS);
  });
  form.addEventListener('change', offerUnlessPressing);
  const complete = () => {
    const url = kindIn(form) === 'url' ? completed(payload.value) : undefined;
    if (url !== undefined) payload.value = url; // the focus stays on the button
  };
  form.addEventListener('submit', complete, { capture: true }); // before it is read
  offer();
}

function button(payload: HTMLTextAreaElement, url: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn sm';
  show(button, textWithData('script.useAddress', { address: url }));
  button.addEventListener('click', () => {
    insertText(payload, url);
    payload.dispatchEvent(new Event('change', { bubbles: true }));
  });
  return button;
}

/** The URL that is meant by `example.com/a`, or by one between spaces; undefined if it is complete or none. */
function completed(typed: string): string | undefined {
  const trimmed = typed.trim();
  const isComplete = /^https?:\/\//i.test(trimmed);
  const url = isComplete ? trimmed : `https://${trimmed.replace(/^\/\//, '')}`;
  const isMeant =
    isComplete || /^(\/\/)?([\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(:\d+)?([/?#]|$)/u.test(trimmed);
  return url !== typed && isMeant && !/\s/.test(url) && URL.canParse(url) ? url : undefined;
}
