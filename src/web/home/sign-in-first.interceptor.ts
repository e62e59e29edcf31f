import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { Settings } from '../../settings/settings.js';
import { asksForJson } from '../pages/asks-for-json.js';
import { OptionsReader } from './options-reader.js';

/** Rejects a form where only accounts may create pushes, after reading its options if they are to be shown again. */
@Injectable()
export class SignInFirstInterceptor implements NestInterceptor {
  constructor(
    private readonly settings: Settings,
    private readonly options: OptionsReader,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (this.settings.ALLOW_ANONYMOUS || request.user !== undefined) return next.handle();
    if (!asksForJson(request)) await this.options.read(request, http.getResponse<Response>());
    throw new SignInNeeded();
  }
}
