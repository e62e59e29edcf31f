import type { PipeTransform } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';
import { isUrlToken, URL_TOKEN } from '../../shared/url-token.js';

/** Accepts what can be the URL token of a push; anything else is a 404. */
@Injectable()
export class UrlTokenPipe implements PipeTransform<string, string> {
  transform(token: string): string {
    if (!isUrlToken(token)) throw new NotFoundException();
    return token;
  }
}

/** Any base does: a path that leads to another host is recognised by the change. */
const BASE = 'http://localhost';

/** The path, with its query, if it is one of this site, otherwise that of the front page. */
export function localPath(path: string | undefined): string {
  const url = path?.startsWith('/') === true ? URL.parse(path, BASE) : null;
  if (url?.origin !== BASE || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}

const LISTS = ['/pushes', '/pushes/expired'];
/** The pages to which visitors may be led after signing in. */
const pages: RegExp[] = [];
const MAX_LENGTH = 2000;
const PARAMETER = `(?:${URL_TOKEN}|\\d+)`;
/** Of a page that has forms. */
const MAX_SEGMENTS = 3;

/** Lets visitors be led to a page after signing in. Parameters in its path are tokens, ids of ours or numbers. */
export function addPage(path: string): void {
  pages.push(new RegExp(`^/${path.replace(/^\//, '').replaceAll(/:\w+/g, PARAMETER)}$`));
}

/** Where to go after signing in: the requested page if it is one of ours, otherwise the list of pushes. */
export function nextPath(requested: unknown): string {
  return ownPath(requested, (path) => pages.some((page) => page.test(path)));
}

/** The page that has the form with this path, below which the paths of its forms are. */
export function pageOfForm(path: string): string {
  const segments = path.split('/', MAX_SEGMENTS + 1); // the first one is empty
  for (let count = segments.length; count > 1; count -= 1) {
    const page = segments.slice(0, count).join('/');
    if (nextPath(page) === page) return page;
  }
  return nextPath(undefined);
}

const FORMS_OF_VISITORS = ['/users/sign_in', '/users/sign_up', '/users/password', '/setup'];

/** The page with the form that was rejected, if its address tells nothing about a secret. */
export function pageOfRejected(path: string): string | undefined {
  if (FORMS_OF_VISITORS.includes(path)) return path;
  const page = pageOfForm(path);
  return /^\/(?:users|admin)\//.test(page) && !/\/email\//.test(page) ? page : undefined;
}

/** A path of ours that leads on to another one. */
export function withNext(path: string, next: string): string {
  if (next === '/pushes') return path;
  return `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`;
}

/** The page of the list to return to. */
export function safeListPath(requested: unknown): string {
  return ownPath(requested, (path) => LISTS.includes(path));
}

/** The path with its query, in the spelling of a URL parser, so that no browser reads it in another way. */
function ownPath(requested: unknown, isOurs: (path: string) => boolean): string {
  if (typeof requested !== 'string' || requested.length > MAX_LENGTH) return '/pushes';
  const path = localPath(requested);
  const isPath = requested.startsWith('/') && (path !== '/' || /^\/(\?|#|$)/.test(requested));
  return isPath && isOurs(path.split('?')[0] ?? '') ? path : '/pushes';
}

/** The path of a page that says that something was done, and how often: see `Flash` and `doneIn`. */
export function withDone(path: string, done: string, counts: Record<string, number>): string {
  const [pathname = '', query] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('done', done);
  for (const [name, count] of Object.entries(counts)) parameters.set(name, `${count}`);
  return `${pathname}?${parameters.toString()}`;
}

/** How often this was done by what the query of a page says, which may be anything; undefined if it does not. */
export function doneIn(query: Record<string, unknown>, done: string, name = 'count'): number | undefined {
  const count = query.done === done ? query[name] : undefined;
  return typeof count === 'string' && /^\d{1,2}$/.test(count) ? Number(count) : undefined;
}
