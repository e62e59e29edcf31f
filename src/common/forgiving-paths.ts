import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** `//api//v2/version.json/` is `/api/v2/version`: answered directly, because clients do not follow redirects. */
export function forgivingPaths(request: Request, _response: Response, next: NextFunction): void {
  const { url } = request;
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const tidy = path.replace(/\/{2,}/g, '/');
  if (/^\/[pfr](\/.+)?\.json\/?$/.test(tidy)) {
    request.url = tidy.replace(/\/$/, '') + (end < 0 ? '' : url.slice(end)); // here `.json` is what makes it the API
  } else if (/^\/api(\/|\.json\/?$|$)/.test(tidy)) {
    request.url = tidy.replace(/\/$/, '').replace(/\.json$/, '') + (end < 0 ? '' : url.slice(end));
  }
  next(isDecodable(path) ? undefined : new BadRequestException('The address is not well-formed.'));
}

/** Said here, because the router's own message quotes the path, and paths hold url_tokens. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
