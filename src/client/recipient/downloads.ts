import type { Shown } from '../page/texts.js';
import { show, text } from '../page/texts.js';

const OK = 200;
const ENDED = 403;

export type StartDownload = (event: Event, link: HTMLAnchorElement, box: HTMLElement) => Promise<void>;

/** Says when download links have expired, instead of letting the reader try them. */
export function expireDownloads(root: ParentNode, start: StartDownload = startDownload): void {
  const box = root.querySelector<HTMLElement>('[data-links-expire-in]');
  if (!box) return;
  const lifetime = Number(box.dataset.linksExpireIn);
  const elapsed = stopwatch();
  const check = () => {
    if (elapsed() >= lifetime) expire(box);
  };
  setTimeout(check, lifetime);
  for (const event of ['pageshow', 'focus']) addEventListener(event, check); // timers stop while a device sleeps
  document.addEventListener('visibilitychange', check);
  for (const link of linksIn(box))
    link.addEventListener('click', (event) => {
      check();
      if (isExpired(box) && !outlivesExpiry(link)) event.preventDefault();
      else void start(event, link, box);
    });
}

/**
 * Measures elapsed time by two clocks and returns the longer time: one clock stops while a device sleeps, and the other
 * can be set back.
 */
function stopwatch(): () => number {
  const [monotonic, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** Asks first whether the link still works, so that no error page replaces the page with the secret. */
async function startDownload(...[event, link, box]: Parameters<StartDownload>): Promise<void> {
  if (link.origin !== location.origin) return; // scripts may not ask there
  event.preventDefault();
  say(box, '');
  const { href } = link;
  const status = await statusOf(href);
  if (isExpired(box)) return; // in the meantime, and it says so
  if (status === OK) location.assign(href);
  else if (status === ENDED) expire(box);
  else say(box, text('script.downloadFailed'));
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    return (await fetch(url, { method: 'HEAD' })).status;
  } catch {
    return undefined;
  }
}

export function expire(box: HTMLElement): void {
  if (isExpired(box)) return;
  const links = [...linksIn(box)];
  for (const link of links) {
    if (outlivesExpiry(link)) continue;
    link.dataset.expired = link.href;
    link.removeAttribute('href');
    link.setAttribute('role', 'link');
    link.setAttribute('aria-disabled', 'true');
    link.tabIndex = 0; // the focus may be on it
  }
  say(box, '');
  for (const fact of document.querySelectorAll<HTMLElement>('[data-until-expired]')) fact.hidden = true;
  for (const advice of box.querySelectorAll<HTMLElement>('[data-once-expired]')) advice.hidden = false;
  const ofKept = box.querySelector<HTMLElement>('[data-once-kept]');
  if (ofKept) ofKept.hidden = !links.some(outlivesExpiry);
}

/** Has a link work when those of the server have expired, also before, because the page has what it leads to. */
export function outliveExpiry(link: HTMLAnchorElement): void {
  const { expired } = link.dataset;
  link.dataset.kept = '';
  if (expired === undefined) return;
  link.href = expired;
  link.removeAttribute('aria-disabled');
}

function outlivesExpiry(link: HTMLAnchorElement): boolean {
  return link.dataset.kept !== undefined;
}

function isExpired(box: HTMLElement): boolean {
  return box.querySelector('[data-once-expired]:not([hidden])') !== null;
}

export function say(box: HTMLElement, message: Shown): void {
  const alert = alertOf(box);
  if (alert) show(alert, message);
}

function alertOf(box: HTMLElement): HTMLElement | null {
  return box.querySelector<HTMLElement>('#links-error');
}

/** The links to the files, and the link to the archive of all files. */
function linksIn(box: HTMLElement): NodeListOf<HTMLAnchorElement> {
  return box.querySelectorAll('[data-download] a, [data-download-all] a');
}
