import { enhance } from './enhance.js';

/** Shows the page that a form was answered with in place of this one. The address stays, so that a reload posts nothing. */
export function showAnswer(html: string): void {
  const answer = new DOMParser().parseFromString(html, 'text/html');
  const main = answer.querySelector('main');
  if (!main) throw new Error('the answer is no page');

  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  document.title = answer.title;
  enhance(main);
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}
