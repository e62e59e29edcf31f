import { requestOf } from './request-of-form.js';
import { showResponse } from './show-response.js';
import { text } from './texts.js';

/** The API token, shared by all forms. It is kept nowhere else, so it is gone when the page is left. */
let token = '';

/** Shows the buttons that bring up the form of an operation. */
export function setUpTryOut(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.try')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      replaceByForm(button);
    });
  }
}

function replaceByForm(button: HTMLButtonElement): void {
  const template = button.nextElementSibling as HTMLTemplateElement;
  const form = (template.content.cloneNode(true) as DocumentFragment).querySelector('form');
  if (!form) return;
  button.replaceWith(form);
  shareToken(form);
  chooseBody(form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  form.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
}

function shareToken(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('[data-in="token"]');
  if (!input) return;
  input.value = token;
  input.addEventListener('input', () => {
    token = input.value;
    for (const other of document.querySelectorAll<HTMLInputElement>('[data-in="token"]')) other.value = token;
  });
}

/** Shows the fields of the chosen media type only. */
function chooseBody(form: HTMLFormElement): void {
  const choice = form.querySelector<HTMLSelectElement>('[data-in="type"]');
  choice?.addEventListener('change', () => {
    for (const body of form.querySelectorAll('fieldset'))
      body.hidden = body.disabled = body.dataset.type !== choice.value;
  });
}

async function send(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button');
  const output = form.querySelector<HTMLElement>('.response');
  if (!button || !output) return;
  button.disabled = true;
  output.replaceChildren();
  try {
    const { url, options } = requestOf(form, token);
    await showResponse(output, await fetch(url, options));
  } catch (error) {
    output.textContent = text('script.requestFailed', { error: String(error) });
  } finally {
    button.disabled = false;
  }
}
