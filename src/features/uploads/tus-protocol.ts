import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable, PreconditionFailedException } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { TUS_VERSION } from './tus-headers.js';
import { UploadProblem } from './uploads.problems.js';

/** Names the version of the protocol in every response, also where a guard refuses the request. */
export const nameTusVersion: RequestHandler = (_request, response, next) => {
  response.set('Tus-Resumable', TUS_VERSION);
  next();
};

/** Refuses requests in another version of the protocol, before anything is done about them. */
@Injectable()
export class TusVersionGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const http = context.switchToHttp();
    const { method, headers } = http.getRequest<Request>();
    if (method === 'OPTIONS' || headers['tus-resumable'] === TUS_VERSION) return true;
    http.getResponse<Response>().set('Tus-Version', TUS_VERSION);
    throw new PreconditionFailedException(new UploadProblem('tus_version_unsupported'));
  }
}
