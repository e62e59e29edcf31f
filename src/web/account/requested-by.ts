import { createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { clientAddress } from '../../http/client-address.js';
import type { Language } from '../../texts/languages.js';
import { languageOf } from '../language/language.js';

/** Who asks for a mail, as a parameter of a page handler. */
export const RequestedBy = createParamDecorator((_: unknown, context): Requester => {
  const request = context.switchToHttp().getRequest<Request>();
  return { ip: clientAddress(request), language: languageOf(request) };
});

/** The language of the page, as a parameter of its handler: that of the mails that it causes. */
export const PageLanguage = createParamDecorator((_: unknown, context): Language =>
  languageOf(context.switchToHttp().getRequest<Request>()),
);
