import type { Request } from 'express';
import { isApiPath } from './is-api-path.js';

/** Whether an error is shown as a page: on pages, and when a browser opens a download link instead of a page. */
export function showsPage(request: Request): boolean {
  return !isApiPath(request.path) || (isDownload(request) && isNavigation(request));
}

function isDownload({ method, path }: Request): boolean {
  return method === 'GET' && path.startsWith('/files/');
}

/** Browsers prefer HTML when a person opens a link; programs accept anything, or ask for JSON. */
function isNavigation(request: Request): boolean {
  const mode = request.headers['sec-fetch-mode'];
  return (mode === undefined || mode === 'navigate') && request.accepts(['json', 'html']) === 'html';
}
