import type { PipeTransform } from '@nestjs/common';
import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { CreatePushDto } from './create-push.dto.js';
import type { PushFields } from './push-in-body.js';
import { PushRules } from './push-rules.js';
import type { PushTerms } from './push-terms.js';

/** Makes terms of the fields of a push: 422 naming every field that is not acceptable. */
@Injectable()
export class CreatePushPipe implements PipeTransform<PushFields, PushTerms> {
  constructor(private readonly rules: PushRules) {}

  transform(fields: PushFields): PushTerms {
    const push = new CreatePushDto(fields, this.rules);
    const errors = validateSync(push, { validationError: { target: false, value: false } });
    if (errors.length > 0) {
      const messages = errors.map(({ property, constraints = {} }) => [property, Object.values(constraints)]);
      throw new UnprocessableEntityException(Object.fromEntries(messages));
    }
    return push.toTerms();
  }
}
