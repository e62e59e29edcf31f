import { parseAnswerFragment } from './end-to-end/answer-link.js';
import type { Fragment } from './end-to-end/fragment.js';
import { fragmentInPath, parseFragment, promisesEncryption } from './end-to-end/fragment.js';
import { SealpushError } from './errors.js';

/** A link to a push: `BASE/p/TOKEN`, with `/r` after it or not, and `#` and a fragment if a client has encrypted it. */
export interface PushLink {
  /** The base URL of the installation, without a slash at its end. */
  server: string;
  urlToken: string;
  fragment: Fragment | undefined;
}

/** A link to answer a request: `BASE/requests/TOKEN`, with the digest of its recipient if it has one. */
export interface RequestLink {
  server: string;
  urlToken: string;
  /** What the recipient that the server names must have as its digest; undefined if the link has none. */
  fragment: string | undefined;
}

/** Also of other servers of this API, and with a language before it. */
const PUSH_PATH =
  /^(.*?)(?:\/[a-z]{2}(?:-[A-Z]{2})?)?\/(?:p|f|r|api\/v2\/pushes)\/([A-Za-z0-9_-]{5,255})(?:\/r)?\/?$/;
const REQUEST_PATH =
  /^(.*?)(?:\/[a-z]{2}(?:-[A-Z]{2})?)?\/(?:r|requests|api\/v2\/requests)\/([A-Za-z0-9_-]{5,255})\/?$/;

/**
 * The parts of a link to a push. Nothing is sent.
 * @throws SealpushError `invalid_link`, also if the fragment was cut: the server must not be asked for it then
 */
export function parsePushLink(link: string): PushLink {
  const { server, urlToken, hash } = parse(link, PUSH_PATH, 'a push');
  const fragment = parseFragment(hash);
  if (!fragment && promisesEncryption(hash)) throw incomplete();
  return { server, urlToken, fragment };
}

/**
 * The parts of a link to answer a request. Nothing is sent.
 * @throws SealpushError `invalid_link`
 */
export function parseRequestLink(link: string): RequestLink {
  const { server, urlToken, hash } = parse(link, REQUEST_PATH, 'a request');
  const fragment = parseAnswerFragment(hash);
  if (fragment === undefined && promisesEncryption(hash)) throw incomplete();
  return { server, urlToken, fragment };
}

function parse(link: string, form: RegExp, what: string): { server: string; urlToken: string; hash: string } {
  const text = link.trim();
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const encoded = url && fragmentInPath(url.pathname); // as mail gateways write it
  const [, path, urlToken] = form.exec(encoded?.path ?? url?.pathname ?? '') ?? [];
  if (!url || path === undefined || urlToken === undefined)
    throw new SealpushError('invalid_link', `This is not a link to ${what}.`);
  return { server: url.origin + path, urlToken, hash: encoded?.fragment ?? url.hash };
}

function incomplete(): SealpushError {
  return new SealpushError('invalid_link', 'The link is incomplete: what follows # was cut or altered.');
}
