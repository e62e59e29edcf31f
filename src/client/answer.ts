import { isFragmentOf, parseAnswerFragment } from '../../packages/client/src/end-to-end/answer-link.js';
import { fragmentInPath, promisesEncryption } from '../../packages/client/src/end-to-end/fragment.js';
import { isEndToEndAvailable } from './end-to-end/load.js';
import { enhanceForms } from './page/enhance.js';
import { skipWithoutHistory } from './page/skip-link.js';
import { listFiles } from './sender/files.js';
import { changeLanguageInPlace } from './sender/language.js';
import { SenderForm } from './sender/sender-form.js';

/** Why an answer that must be encrypted cannot be: see answer.tsx. */
type Unable = 'incomplete' | 'swapped' | 'unavailable';

enhanceForms(document);
moveFragmentBehindHash();
keepFragment();
addEventListener('hashchange', () => {
  if (promisesEncryption(location.hash)) location.reload(); // the whole link was pasted
});
const form = document.querySelector<HTMLFormElement>('form#answer');
if (form) void start(form);

async function start(form: HTMLFormElement): Promise<void> {
  const { recipient } = form.dataset;
  const unable = await unableTo(recipient);
  let sender = setUp(form, unable);
  form.querySelector('textarea')?.focus();
  changeLanguageInPlace((translated) => {
    enhanceForms(document);
    keepFragment();
    const isSame = translated.dataset.recipient === recipient;
    sender = setUp(translated, isSame ? unable : 'swapped', sender);
  });
}

function setUp(form: HTMLFormElement, unable?: Unable, before?: SenderForm): SenderForm | undefined {
  if (unable) {
    document.querySelector('[data-answerable]')?.setAttribute('hidden', '');
    show(`[data-unable=${unable}]`);
    return undefined;
  }
  show('[data-answerable]');
  listFiles(form);
  form.querySelector<HTMLElement>('[data-field=files]')?.removeAttribute('hidden');
  const sender = new SenderForm(form, before);
  sender.listen();
  return sender;
}

/**
 * The recipient is right if its digest is in the link, which the browser that asked has checked. A link that has one
 * takes no answer that the server could read.
 */
async function unableTo(recipient: string | undefined): Promise<Unable | undefined> {
  const fragment = parseAnswerFragment(location.hash);
  if (recipient === undefined && !promisesEncryption(location.hash)) return undefined;
  if (fragment === undefined) return 'incomplete';
  if (recipient === undefined) return 'swapped';
  if (!isEndToEndAvailable()) return 'unavailable';
  return (await isFragmentOf(fragment, recipient)) ? undefined : 'swapped';
}

function show(selector: string): void {
  const part = document.querySelector<HTMLElement>(selector);
  if (part) part.hidden = false;
}

/** Mail programs write `#` as `%23`. */
function moveFragmentBehindHash(): void {
  const found = fragmentInPath(location.pathname);
  if (found) history.replaceState(history.state, '', `${found.path}${location.search}#${found.fragment}`);
}

/** Keeps the fragment in the address when the reader jumps to the content, changes the language or enters a passphrase. */
function keepFragment(): void {
  const forms = document.querySelectorAll<HTMLFormElement>(
    'form[action$="/language"], form[action$="/passphrase"]',
  );
  for (const form of forms) form.action += location.hash; // browsers add it to where they are redirected
  skipWithoutHistory();
}
