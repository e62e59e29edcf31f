import { enhance } from './enhance.js';

enhance(document);
moveKeyIntoForm();

/** From the fragment of the link, which browsers never send, and out of the address bar. */
function moveKeyIntoForm(): void {
  const field = document.querySelector<HTMLInputElement>('form#delete-push input[name=delete_key]');
  const key = location.hash.slice(1);
  if (!field || key === '') return;
  field.value = key;
  history.replaceState(null, '', location.pathname + location.search);
}
