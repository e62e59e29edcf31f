import {
  fragmentInPath,
  parseFragment,
  promisesEncryption,
} from '../../../packages/client/src/end-to-end/fragment.js';
import { isEndToEndAvailable, loadEndToEnd } from '../end-to-end/load.js';
import { skipWithoutHistory } from '../page/skip-link.js';
import type { Opening } from './opened-links.js';
import { isKnownAsRepaired, rememberAsRepaired } from './opened-links.js';

/** What the page of a link says about it. */
type LinkState = 'first' | Opening | 'incomplete' | 'keyless' | 'unavailable';

/** The link of an end-to-end encrypted push, with the part that the server never gets. */
export class EncryptedLink {
  /** Whether its `#` was encoded on its way here, now or earlier in this tab, so that the key was sent to the server. */
  readonly isRepaired = wasKeySent(moveKeyBehindHash());
  /** The fragment, which is kept here when it is removed from the address. */
  readonly fragment = parseFragment(location.hash);

  /** The link of this page; undefined for other pushes. */
  static ofPage(): EncryptedLink | undefined {
    return document.querySelector('[data-end-to-end]') ? new EncryptedLink() : undefined;
  }

  state(before: Opening | undefined): LinkState {
    if (!this.fragment) return before === undefined || location.hash !== '' ? 'incomplete' : 'keyless';
    return isEndToEndAvailable() ? (before ?? 'first') : 'unavailable';
  }

  /** What the server gets as the passphrase. Computing it loads everything that is needed to decrypt. */
  async proof(passphrase: string): Promise<string> {
    if (!this.fragment) throw new Error('no key');
    const { proofOf } = await loadEndToEnd();
    return proofOf(this.fragment, passphrase);
  }

  /** Takes the key out of the address and the history of the browser. */
  readonly removeKey = (): void => {
    history.replaceState(history.state, '', location.pathname + location.search);
  };
}

/** Keeps the key in the address when the reader jumps to the content, changes the language or asks for a code. */
export function keepKey(): void {
  const staying = document.querySelectorAll<HTMLFormElement>(
    'form[action$="/language"], form[data-ask-code]',
  );
  for (const form of staying) form.action += location.hash; // browsers add it to where they are redirected, and send it to nobody
  skipWithoutHistory();
}

/**
 * Whether the link says that a browser has encrypted the secret, and the page that the server can read it: then it is
 * not the secret of this link.
 */
export function isSwapped(): boolean {
  if (document.querySelector('[data-openable]:not([data-end-to-end])') === null) return false;
  moveKeyBehindHash();
  return promisesEncryption(location.hash);
}

/** Browsers load nothing when only what follows `#` has changed, as when somebody pastes the whole link. */
export function reloadForAnotherLink(): void {
  addEventListener('hashchange', () => {
    if (promisesEncryption(location.hash)) location.reload();
  });
}

function wasKeySent(isMoved: boolean): boolean {
  const digest = document.querySelector<HTMLElement>('[data-link]')?.dataset.link ?? '';
  if (isMoved) rememberAsRepaired(digest);
  return isMoved || isKnownAsRepaired(digest);
}

function moveKeyBehindHash(): boolean {
  const found = fragmentInPath(location.pathname);
  if (!found) return false;
  const { path, fragment } = found;
  history.replaceState(history.state, '', `${location.origin}${path}${location.search}#${fragment}`);
  return true;
}
