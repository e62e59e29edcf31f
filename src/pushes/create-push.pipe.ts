import type { PipeTransform } from '@nestjs/common';
import { BadRequestException, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { CreatePushDto } from './create-push.dto.js';
import { PushRules } from './push-rules.js';
import type { PushTerms } from './push-terms.js';

/** Makes terms of a body: 400 when there is no push in it, 422 naming every field that is not acceptable. */
@Injectable()
export class CreatePushPipe implements PipeTransform<unknown, PushTerms> {
  constructor(private readonly rules: PushRules) {}

  transform(body: unknown): PushTerms {
    const push = new CreatePushDto(pushIn(body), this.rules);
    const errors = validateSync(push, { validationError: { target: false, value: false } });
    if (errors.length > 0) {
      const messages = errors.map(({ property, constraints = {} }) => [property, Object.values(constraints)]);
      throw new UnprocessableEntityException(Object.fromEntries(messages));
    }
    return push.toTerms();
  }
}

function pushIn(body: unknown): object {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

  const push = isObject(body) && Object.hasOwn(body, 'push') ? body.push : undefined;
  if (!isObject(push) || Object.keys(push).length === 0) {
    throw new BadRequestException('The body must have an object "push" with the fields of the push.');
  }
  return push;
}
