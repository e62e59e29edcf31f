import type { PipeTransform } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';

/** What the URL token of a push looks like. */
export const URL_TOKEN = '[A-Za-z0-9_-]{22,64}';

const WHOLE = new RegExp(`^${URL_TOKEN}$`);

/** Accepts what can be the URL token of a push; anything else is a 404. */
@Injectable()
export class UrlTokenPipe implements PipeTransform<string, string> {
  transform(token: string): string {
    if (!WHOLE.test(token)) throw new NotFoundException();
    return token;
  }
}
