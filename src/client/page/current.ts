/** Scrolls a row of tabs or states that is wider than the screen to the current one. */
export function showCurrent(): void {
  for (const link of document.querySelectorAll('main nav [aria-current]'))
    link.scrollIntoView({ block: 'nearest', inline: 'center' });
}
