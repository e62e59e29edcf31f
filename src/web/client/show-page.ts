import { enhance } from './enhance.js';

/** Replaces this page with the response to a form. The URL stays the same, so that a reload posts nothing. */
export function showPage(html: string): void {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const main = page.querySelector('main');
  if (!main) throw new Error('the response is not a page');

  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  const footer = page.querySelector('footer'); // without the choice of language, which would leave the response
  if (footer) document.querySelector('footer')?.replaceWith(document.adoptNode(footer));
  document.title = page.title;
  enhance(main);
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}
