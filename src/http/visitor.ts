import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress } from './client-address.js';
import { PublicUrl } from './public-url.js';

/** Whoever makes a request, as far as pushes and their audit need to know. */
export interface Visitor {
  /** The account whose token came with the request. */
  userId?: string;
  ip: string;
  userAgent: string;
  referrer: string;
  /** The public URL under which they reach us, without a slash at its end. */
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

/** Who asks, as a parameter of a controller's method. */
export const CurrentVisitor = () => WholeRequest(VisitorPipe);
