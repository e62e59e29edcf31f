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

const TOKEN = /^[A-Za-z0-9_-]{5,255}$/;
/** Also of other servers of this API. */
const PUSH_PATH = /^(.*?)\/(?:p|f|r|api\/v2\/pushes)\/([A-Za-z0-9_-]{5,255})(?:\/r)?\/?$/;
const REQUEST_PATH = /^(.*?)\/(?:r|requests|api\/v2\/requests)\/([A-Za-z0-9_-]{5,255})\/?$/;
/** What other servers of this API write before the path of a link. Other names of two letters are paths. */
const LANGUAGE =
  /\/(?:ca|cs|da|de|en|es|eu|fi|fr|hi|hu|id|is|it|ja|ko|lv|nl|no|pl|pt|ro|ru|sk|sr|sv|th|uk|ur|zh)(?:-[A-Z]{2})?$/;

/**
 * The parts of a link to a push. Nothing is sent.
 * @param own the base URL of an installation whose path may look like a language
 * @throws SealpushError `invalid_link`, also if the fragment was cut: the server must not be asked for it then
 */
export function parsePushLink(link: string, own?: string): PushLink {
  const { server, urlToken, hash } = parse(link, PUSH_PATH, 'a push', own);
  const fragment = parseFragment(hash);
  if (!fragment && promisesEncryption(hash)) throw incomplete();
  return { server, urlToken, fragment };
}

/**
 * The parts of a link to answer a request. Nothing is sent.
 * @param own the base URL of an installation whose path may look like a language
 * @throws SealpushError `invalid_link`
 */
export function parseRequestLink(link: string, own?: string): RequestLink {
  const { server, urlToken, hash } = parse(link, REQUEST_PATH, 'a request', own);
  const fragment = parseAnswerFragment(hash);
  if (fragment === undefined && promisesEncryption(hash)) throw incomplete();
  return { server, urlToken, fragment };
}

/** @throws SealpushError `invalid_link` unless it is a URL token, which goes into paths of requests */
export function assertToken(text: string): string {
  if (!TOKEN.test(text)) throw new SealpushError('invalid_link', 'This is neither a link nor a URL token.');
  return text;
}

function parse(
  link: string,
  form: RegExp,
  what: string,
  own?: string,
): { server: string; urlToken: string; hash: string } {
  const text = link.trim();
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const encoded = url && fragmentInPath(url.pathname); // as mail gateways write it
  const [, path, urlToken] = form.exec(encoded?.path ?? url?.pathname ?? '') ?? [];
  if (!url || path === undefined || urlToken === undefined)
    throw new SealpushError('invalid_link', `This is not a link to ${what}.`);
  const whole = url.origin + path;
  const server = whole === own ? whole : url.origin + path.replace(LANGUAGE, '');
  return { server, urlToken, hash: encoded?.fragment ?? url.hash };
}

function incomplete(): SealpushError {
  return new SealpushError('invalid_link', 'The link is incomplete: what follows # was cut or altered.');
}
