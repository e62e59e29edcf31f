/** Replaces the text of a field in a way that the browser's own undo takes back. */
export function replaceText(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  field.focus();
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way into the undo history
  document.execCommand(value === '' ? 'delete' : 'insertText', false, value);
  if (field.value === value) return;
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
