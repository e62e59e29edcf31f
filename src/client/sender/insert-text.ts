type Field = HTMLInputElement | HTMLTextAreaElement;

/** Replaces a part of the text of a field, by default all of it, in a way that the browser's own undo takes back. */
export function insertText(field: Field, text: string, from = 0, to = field.value.length): void {
  const whole = field.value.slice(0, from) + text + field.value.slice(to);
  field.focus();
  field.setSelectionRange(from, to);
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way into the undo history
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  if (field.value === whole) return;
  field.value = whole;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
