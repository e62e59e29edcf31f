import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import type { PushFields } from './push-fields.js';
import { isObject } from './push-fields.js';

interface RequestAndResponse {
  request: Request;
  response: Response;
}

/** Reads the fields at the top of a short body. They are not validated yet. */
@Injectable()
export class ShortBodyPipe implements PipeTransform<RequestAndResponse, Promise<PushFields>> {
  constructor(private readonly reader: BodyReader) {}

  async transform({ request, response }: RequestAndResponse): Promise<PushFields> {
    const body = await this.reader.jsonOrForm(request, response, {
      jsonLimit: SHORT_FORM_LIMIT,
      formLimit: SHORT_FORM_LIMIT,
      types: ['application/json', 'application/x-www-form-urlencoded'],
    });
    return isObject(body) ? body : {};
  }
}

const WholeExchange = createParamDecorator((_: unknown, context): RequestAndResponse => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});

/** Parameter decorator: the fields of a short body. */
export const ShortBody = () => WholeExchange(ShortBodyPipe);
