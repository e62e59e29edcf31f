import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import type { BodyRoot, PushFields } from './push-fields.js';
import { isObject, pushFields } from './push-fields.js';

interface ShortBodyOf {
  request: Request;
  response: Response;
  /** Where the fields are; undefined when they are at the top. */
  root?: BodyRoot;
}

/** Reads the fields of a short body. They are not validated yet. */
@Injectable()
export class ShortBodyPipe implements PipeTransform<ShortBodyOf, Promise<PushFields>> {
  constructor(private readonly reader: BodyReader) {}

  async transform({ request, response, root }: ShortBodyOf): Promise<PushFields> {
    const body = await this.reader.jsonOrForm(request, response, {
      jsonLimit: SHORT_FORM_LIMIT,
      formLimit: SHORT_FORM_LIMIT,
      types: ['application/json', 'application/x-www-form-urlencoded'],
    });
    if (root) return pushFields(body, request.url, root);
    return isObject(body) ? body : {};
  }
}

const BodyOf = createParamDecorator((root: BodyRoot | undefined, context): ShortBodyOf => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>(), root };
});

/** Parameter decorator: the fields of a short body. */
export const ShortBody = (root?: BodyRoot) => BodyOf(root, ShortBodyPipe);
