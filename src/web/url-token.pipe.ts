import type { PipeTransform } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';

/** Accepts what can be the URL token of a push; anything else is a 404. */
@Injectable()
export class UrlTokenPipe implements PipeTransform<string, string> {
  transform(token: string): string {
    if (!/^[A-Za-z0-9_-]{22,64}$/.test(token)) throw new NotFoundException();
    return token;
  }
}
