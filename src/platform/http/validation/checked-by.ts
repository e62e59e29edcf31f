import type { ValidationArguments } from 'class-validator';
import { ValidateBy } from 'class-validator';
import type { Problem } from '../../errors/problem.js';

/** What is wrong with a value, given the other properties of its DTO; undefined when it is valid. */
type Validator<Value, Dto> = (value: Value, dto: Dto) => Problem | Problem[] | undefined;

/** What the validation pipe reads from the errors of `CheckedBy`. */
export interface CheckedByContext {
  problemsOf: Validator<unknown, object>;
}

/** Checks a property by a validator. */
export function CheckedBy<Value, Dto extends object>(validator: Validator<Value, Dto>): PropertyDecorator {
  const problemsOf = validator as Validator<unknown, object>;
  return ValidateBy(
    {
      name: 'checkedBy',
      validator: {
        validate: (value, args) => problemsOf(value, (args as ValidationArguments).object) === undefined,
        defaultMessage: () => 'is not valid', // class-validator drops the context of an error without a message
      },
    },
    { context: { problemsOf } satisfies CheckedByContext },
  );
}
