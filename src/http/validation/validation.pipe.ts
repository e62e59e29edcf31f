import type { ValidationError } from '@nestjs/common';
import { UnprocessableEntityException, ValidationPipe } from '@nestjs/common';

/**
 * Creates an instance of a parameter's DTO and checks it by the decorators of its class. Properties without a decorator
 * are dropped. Responds with 422 and the messages of each field (docs/api.md, Errors).
 */
export const validationPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  exceptionFactory: (errors) => new UnprocessableEntityException(messagesByField(errors)),
});

function messagesByField(errors: ValidationError[]): Record<string, string[]> {
  return Object.fromEntries(
    errors.map(({ property, constraints = {} }) => [property, Object.values(constraints)]),
  );
}
