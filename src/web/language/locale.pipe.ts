import type { PipeTransform } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';

/** Accepts a locale in a path, such as `en` or `pt-BR`; anything else is a 404. */
@Injectable()
export class LocalePipe implements PipeTransform<string, string> {
  transform(locale: string): string {
    if (!/^[a-z]{2}(-[A-Z]{2})?$/.test(locale)) throw new NotFoundException();
    return locale;
  }
}
