import type { PipeTransform } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';

/** What can be a push's token at all; anything else is no page. */
@Injectable()
export class UrlTokenPipe implements PipeTransform<string, string> {
  transform(token: string): string {
    if (!/^[A-Za-z0-9_-]{22,64}$/.test(token)) throw new NotFoundException();
    return token;
  }
}
