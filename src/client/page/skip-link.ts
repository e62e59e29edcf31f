/** Has the link to the content move the focus only: to the history of the tab, another fragment is another page. */
export function skipWithoutHistory(): void {
  document.querySelector('a.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    document.querySelector('main')?.focus();
  });
}
