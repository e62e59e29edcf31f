import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import { Allow } from 'class-validator';
import type { Request, Response } from 'express';
import { SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import { validationPipe } from '../../platform/http/validation/validation.pipe.js';
import { CreatePushDto } from '../create/create-push.dto.js';
import { TimeField } from '../fields/field-decorators.js';
import type { PushFields } from '../fields/push-fields.js';
import { pushFields } from '../fields/push-fields.js';

/**
 * A request to change a push, with the fields of a creation and `expires_at`. `ChangesService` says which of them may
 * change.
 */
export class ChangePushDto extends CreatePushDto {
  @TimeField()
  @Allow()
  expires_at?: Date | null;
}

export function changeFrom(fields: PushFields): Promise<ChangePushDto> {
  return validationPipe.transform(fields, {
    type: 'body',
    metatype: ChangePushDto,
  }) as Promise<ChangePushDto>;
}

interface RequestAndResponse {
  request: Request;
  response: Response;
}

/** Reads what a request wants to change. */
@Injectable()
export class ChangeBodyPipe implements PipeTransform<RequestAndResponse, Promise<ChangePushDto>> {
  constructor(private readonly reader: BodyReader) {}

  async transform({ request, response }: RequestAndResponse): Promise<ChangePushDto> {
    const body = await this.reader.jsonOrForm(request, response, {
      jsonLimit: SHORT_FORM_LIMIT,
      formLimit: SHORT_FORM_LIMIT,
      types: ['application/json', 'application/x-www-form-urlencoded'],
    });
    return changeFrom(pushFields(body, request.url, { key: 'push' }));
  }
}

const WholeExchange = createParamDecorator((_: unknown, context): RequestAndResponse => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});

/** Parameter decorator: what a request wants to change of a push. */
export const RequestedChange = () => WholeExchange(ChangeBodyPipe);
