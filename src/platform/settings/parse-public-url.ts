import { httpUrl } from './parsers.js';
import type { Parser } from './setting.js';

/** Needs no encoding anywhere: in links, in cookies, in the configuration of a proxy. */
const PATH = /^(\/[A-Za-z0-9._~-]+)*$/;

/** What our own paths begin with; a test compares it with the routes. */
export const OWN_PATHS = [
  'admin',
  'api',
  'api_tokens',
  'assets',
  'f',
  'favicon.ico',
  'files',
  'help',
  'how-it-works',
  'language',
  'p',
  'pushes',
  'r',
  'ready',
  'requests',
  'robots.txt',
  'setup',
  'up',
  'uploads',
  'users',
];

/** The base URL of the installation. Its path can be told from ours, because some proxies remove it and others do not. */
export const publicUrl: Parser = (text) => {
  const url = httpUrl(text) as string;
  const { pathname } = new URL(url);
  if (pathname !== '/' && !PATH.test(pathname))
    throw new Error('must have a path of letters, digits and . _ ~ - only');
  const [, first = ''] = pathname.split('/');
  if (OWN_PATHS.includes(first.replace(/\.json$/, '')))
    throw new Error(`must not have a path that begins with /${first}, as pages of Sealpush do`);
  return url;
};
