import { text } from '../page/texts.js';
import { waitingTime } from '../page/waiting-time.js';
import { enhance } from '../page/enhance.js';

/** The outcome of a request to open a push. */
export type OpenResult =
  | { kind: 'answered'; isOpened: boolean; html: string }
  /** No view has been used. */
  | { kind: 'refused'; message: string; wrongField?: string }
  /** A view may have been used. */
  | { kind: 'lost'; message: string };

/** @param passphrase in place of the one that was typed */
export async function requestToOpen(form: HTMLFormElement, passphrase?: string): Promise<OpenResult> {
  const isOffline = !navigator.onLine;
  try {
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    if (passphrase !== undefined) body.set('passphrase', passphrase);
    return await resultOf(await fetch(form.action, { method: 'POST', body }));
  } catch {
    return isOffline ? { kind: 'refused', message: text('script.openOffline') } : connectionLost();
  }
}

async function resultOf(response: Response): Promise<OpenResult> {
  const html = await response.text();
  if (response.status === 429) return { kind: 'refused', message: tooMany(response) };
  if (response.status === 422) return { kind: 'refused', ...errorIn(html) };
  return response.status >= 500 || !/<main\b/.test(html)
    ? connectionLost()
    : { kind: 'answered', isOpened: response.ok, html };
}

/** Whether a response to an encrypted link has a secret that the browser decrypts, or none. */
export function isEncryptedAsPromised({ html, isOpened }: { html: string; isOpened: boolean }): boolean {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const isPlain = page.querySelector('[data-secret], #secret') !== null; // those of templates are not found
  return !isPlain && (!isOpened || page.querySelector('[data-encrypted]') !== null);
}

function connectionLost(): OpenResult {
  return { kind: 'lost', message: text('script.openFailed') };
}

/** What is wrong, and with which field. */
function errorIn(html: string): { message: string; wrongField?: string } {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const error = page.querySelector('[data-field] > [id$="-error"]');
  return {
    message: error?.textContent ?? '',
    wrongField: error?.closest<HTMLElement>('[data-field]')?.dataset.field,
  };
}

function tooMany({ headers }: Response): string {
  const wait = waitingTime(headers.get('Retry-After')) || text('script.tryAgainLater');
  return `${text('script.tooManyAttempts')} ${wait}`;
}

/** Replaces this page with the response to a form. The URL stays the same, so that a reload posts nothing. */
export function showPage(html: string): void {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const main = page.querySelector('main');
  if (!main) throw new Error('the response is not a page');

  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  const footer = page.querySelector('footer'); // without the choice of language, which would leave the response
  if (footer) document.querySelector('footer')?.replaceWith(document.adoptNode(footer));
  const icons = page.querySelector('[data-icons]');
  if (icons) document.querySelector('[data-icons]')?.replaceWith(document.adoptNode(icons));
  document.title = page.title;
  enhance(main);
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Pages that are prerendered, or loaded in a background tab, wait. */
export function whenVisible(action: () => void): void {
  if (isVisible()) {
    action();
    return;
  }
  const check = () => {
    if (!isVisible()) return;
    document.removeEventListener('visibilitychange', check);
    document.removeEventListener('prerenderingchange', check);
    action();
  };
  document.addEventListener('visibilitychange', check);
  document.addEventListener('prerenderingchange', check);
}

function isVisible(): boolean {
  return document.visibilityState === 'visible' && !('prerendering' in document && document.prerendering);
}

/**
 * Programs that check links load the page and run its scripts, and must not use up a view. A person moves the pointer,
 * taps, scrolls, presses a key, or comes back to the window or tab.
 */
export function whenPersonActs(action: () => void): void {
  const waiting = new AbortController();
  const { signal } = waiting;
  const isMovement = movements();
  let wasAway = !isVisible(); // the focus that a window has from the beginning is no sign
  const act = (event: Event) => {
    if (!event.isTrusted || !isVisible() || isForElsewhere(event)) return;
    waiting.abort();
    action();
  };
  for (const sign of ['pointerup', 'touchend', 'wheel', 'keydown'])
    addEventListener(sign, act, { signal, passive: true });
  addEventListener(
    'pointermove',
    (event) => {
      if (isMovement(event)) act(event);
    },
    { signal },
  );
  addEventListener('blur', () => (wasAway = true), { signal });
  addEventListener(
    'focus',
    (event) => {
      if (wasAway) act(event);
    },
    { signal },
  );
}

/** Tells movements from the first event, by which browsers say where the pointer is when they show a page. */
function movements(): (event: PointerEvent) => boolean {
  let last: PointerEvent | undefined;
  return (event) => {
    const before = last ?? event;
    last = event;
    return event.screenX !== before.screenX || event.screenY !== before.screenY;
  };
}

/** Keys that type, scroll or move within a page. */
const OF_PAGE = /^(?:.|Enter|Tab|Arrow\w+|Page\w+|Home|End)$/u;

/** Of the browser or the system, as to reload the page, or of an element that does something else. */
function isForElsewhere(event: Event): boolean {
  if (
    event instanceof KeyboardEvent &&
    (event.ctrlKey || event.metaKey || event.altKey || !OF_PAGE.test(event.key))
  )
    return true;
  return event.target instanceof Element && event.target.closest('a, button, summary') !== null;
}
