import { enhance } from './enhance.js';
import { showSelection } from './selection.js';

/** After the last key, so that one word is one search. */
const WAIT_MS = 300;

/** Searches a list as somebody types, and when a filter is chosen. Enter searches with and without a script. */
export function setUpSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-search]');
  const results = document.querySelector('[data-results]');
  if (!form || !results) return;
  let timer: number | undefined;
  let running: AbortController | undefined;
  const search = async () => {
    clearTimeout(timer);
    running?.abort();
    const { signal } = (running = new AbortController());
    return (await isShown(form, signal)) || signal.aborted;
  };
  form.addEventListener('input', ({ target }) => {
    clearTimeout(timer);
    if (target instanceof HTMLSelectElement) void search();
    else timer = setTimeout(() => void search(), WAIT_MS);
  });
  form.addEventListener('compositionstart', () => {
    clearTimeout(timer);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search().then((isDone) => {
      if (!isDone) form.submit(); // the browser shows why
    });
  });
}

/** Shows what the search finds in place of the list, unless the answer is none. */
async function isShown(form: HTMLFormElement, signal: AbortSignal): Promise<boolean> {
  try {
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    const response = await fetch(form.action, { method: 'POST', body, signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    signal.throwIfAborted();
    if (!page.querySelector('[data-results]')) return false;
    history.replaceState(history.state, '', response.url);
    for (const part of ['[data-results]', 'form[data-search] nav', '[data-clear]', '[data-bulk]'])
      replace(part, page);
    enhance(document.querySelector('[data-results]') ?? document);
    showSelection();
    const found = document.querySelector('[data-found]');
    const count = page.querySelector('[data-found]')?.textContent ?? '';
    if (found && found.textContent !== count) found.textContent = count;
    return true;
  } catch {
    return false;
  }
}

function replace(part: string, page: Document): void {
  const [own, other] = [document.querySelector(part), page.querySelector(part)];
  if (own && other) own.replaceChildren(...other.childNodes);
}
