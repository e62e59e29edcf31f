import type { PipeTransform } from '@nestjs/common';
import { BadRequestException, createParamDecorator, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Session } from '../../auth/entities/session.entity.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { clientAddress } from '../../platform/http/visitor.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { LanguageResolver } from '../language/language-resolver.js';

/** The signed-in user as a parameter of a page handler; undefined if there is none. */
export const CurrentUser = createParamDecorator(
  (_: unknown, context) => context.switchToHttp().getRequest<Request>().user,
);

/** The session of the signed-in user as a parameter of a handler that only signed-in users reach. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context) => context.switchToHttp().getRequest<Request>().authInfo as Session,
);

/** The `:id` in the path, for pipes that find what it names. With `@Param` the type of that would be validated as a DTO. */
export const IdInPath = createParamDecorator((_: unknown, context) =>
  String(context.switchToHttp().getRequest<Request>().params.id),
);

/** The request, for pipes that make a parameter of it. */
export const CurrentRequest = createParamDecorator((_: unknown, context) =>
  context.switchToHttp().getRequest<Request>(),
);

@Injectable()
class RequesterPipe implements PipeTransform<Request, Requester> {
  constructor(private readonly languages: LanguageResolver) {}

  transform(request: Request): Requester {
    return { ip: clientAddress(request), language: this.languages.of(request) };
  }
}

/** Who asks for a mail, as a parameter of a page handler. */
export const RequestedBy = () => CurrentRequest(RequesterPipe);

/** The language of the page, as a parameter of its handler: that of the mails that it causes. */
export const PageLanguage = () => CurrentRequest(LanguageResolver);

/**
 * What a page says was done, as a parameter of its handler: the text for the parameter `done` of the query. Undefined if
 * there is none.
 */
export const Flash = createParamDecorator((texts: Record<string, TextKey>, context): TextKey | undefined => {
  const { done } = context.switchToHttp().getRequest<Request>().query;
  return typeof done === 'string' && Object.hasOwn(texts, done) ? texts[done] : undefined;
});

/** A structured field string (RFC 9651, section 3.3.3), long enough for at least 128 random bits. */
const HEADER_KEY = /^"([\w-]{22,64})"$/;

/**
 * The key in the `Idempotency-Key` header of a submission.
 * @throws BadRequestException
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const header = request.get('Idempotency-Key');
  if (header === undefined) return undefined;

  const key = HEADER_KEY.exec(header)?.[1];
  if (key === undefined) {
    throw new BadRequestException(new Problem('idempotency_key_malformed'));
  }
  return key;
}

/** The same as a parameter of a page handler. */
export const CurrentIdempotencyKey = createParamDecorator((_: unknown, context) =>
  idempotencyKeyOf(context.switchToHttp().getRequest<Request>()),
);
