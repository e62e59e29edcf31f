import { enhance } from './page/enhance.js';

enhance(document);
moveKeyIntoForm();

/** Moves the delete key from the fragment of the link, which browsers never send, into the form. */
function moveKeyIntoForm(): void {
  const field = document.querySelector<HTMLInputElement>('form#delete-push input[name=delete_key]');
  const key = location.hash.slice(1);
  if (!field || key === '') return;
  field.value = key;
  history.replaceState(null, '', location.pathname + location.search);
}
