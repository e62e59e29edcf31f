import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { User } from '../../auth/entities/user.entity.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import { noFiles } from '../../platform/http/body/file-receiver.js';
import { mediaType } from '../../platform/http/body/media-type.js';
import { MIB } from '../../platform/settings/units.js';
import { CreationPolicies } from '../../pushes/create/creation-policy.js';
import { pushFields } from '../../pushes/fields/push-fields.js';
import type { NewSecretRequest } from './create-request.dto.js';
import { SecretRequestRules } from './secret-request-rules.js';

const MAX_BODY = MIB;

interface RequestAndResponse {
  request: Request;
  response: Response;
}

/** Reads and validates the request for a secret in a body. */
@Injectable()
class SecretRequestPipe implements PipeTransform<RequestAndResponse, Promise<NewSecretRequest>> {
  constructor(
    private readonly reader: BodyReader,
    private readonly rules: SecretRequestRules,
    private readonly policies: CreationPolicies,
  ) {}

  async transform({ request, response }: RequestAndResponse): Promise<NewSecretRequest> {
    const policy = await this.policies.of(request);
    policy.assertMayCreate();
    const body =
      mediaType(request) === 'multipart/form-data'
        ? await this.reader.multipart(request, response, MAX_BODY, noFiles())
        : await this.reader.jsonOrForm(request, response, {
            jsonLimit: MAX_BODY,
            formLimit: MAX_BODY,
            types: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
          });
    const fields = pushFields(body, request.url, { key: 'request' });
    return this.rules.validated(fields, request.user as User, policy, 'api');
  }
}

const WholeExchange = createParamDecorator((_: unknown, context): RequestAndResponse => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});

/** Parameter decorator: the request for a secret that is to be created. */
export const NewRequestFields = () => WholeExchange(SecretRequestPipe);
