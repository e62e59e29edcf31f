import { enhance } from './enhance.js';
import { showAnswer } from './show-answer.js';
import { text } from './texts.js';

enhance(document);
listen();
whenVisible(() => {
  const form = findForm();
  if (form?.dataset.atOnce !== undefined) void open(form);
});

function findForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('form#open');
}

function listen(): void {
  const form = findForm();
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void open(form);
  });
}

/** Pages that are prerendered, or loaded in a background tab, must not use up a view. */
function whenVisible(action: () => void): void {
  const isVisible = () =>
    document.visibilityState === 'visible' && !('prerendering' in document && document.prerendering);
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

async function open(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button');
  button?.setAttribute('aria-busy', 'true');
  if (button) button.disabled = true;
  try {
    const passphrase = form.querySelector<HTMLInputElement>('input[name=passphrase]')?.value;
    const body = new URLSearchParams(passphrase === undefined ? {} : { passphrase });
    const answer = await fetch(form.action, { method: 'POST', body });
    showAnswer(await answer.text());
    listen();
  } catch {
    if (button) button.disabled = false;
    button?.removeAttribute('aria-busy');
    if (button) button.textContent = text('script.openFailed');
  }
}
