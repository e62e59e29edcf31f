import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress } from './client-address.js';
import { PublicUrl } from './public-url.js';

/** The client of a request, as pushes and their audit log need it. */
export interface Visitor {
  /** The account of the token or session that came with the request. */
  userId?: string;
  ip: string;
  userAgent: string;
  referrer: string;
  /** The base URL that the client uses, without a trailing slash. */
  baseUrl: string;
}

@Injectable()
export class VisitorPipe implements PipeTransform<Request, Visitor> {
  constructor(private readonly publicUrl: PublicUrl) {}

  transform(request: Request): Visitor {
    return {
      userId: (request.user as { id: string } | undefined)?.id,
      ip: clientAddress(request),
      userAgent: request.headers['user-agent'] ?? '',
      referrer: request.headers.referer ?? '',
      baseUrl: this.publicUrl.of(request),
    };
  }
}

const WholeRequest = createParamDecorator((_: unknown, context) =>
  context.switchToHttp().getRequest<Request>(),
);

/** The client of the request, as a parameter of a controller method. */
export const CurrentVisitor = () => WholeRequest(VisitorPipe);
