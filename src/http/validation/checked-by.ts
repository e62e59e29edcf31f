import type { ValidationArguments } from 'class-validator';
import { ValidateBy } from 'class-validator';

/** Returns what is wrong with a value, given the other properties of its DTO; undefined when it is valid. */
type Validator<Value, Dto> = (value: Value, dto: Dto) => string | undefined;

/** Checks a property by a validator, whose result is the error message. */
export function CheckedBy<Value, Dto extends object>(validator: Validator<Value, Dto>): PropertyDecorator {
  const errorOf = ({ value, object }: ValidationArguments) => validator(value as Value, object as Dto);
  return ValidateBy({
    name: 'checkedBy',
    validator: {
      validate: (_value, args: ValidationArguments) => errorOf(args) === undefined,
      defaultMessage: (args: ValidationArguments) => errorOf(args) ?? '',
    },
  });
}
