import type { ValidationArguments } from 'class-validator';
import { ValidateBy } from 'class-validator';
import type { CreatePushDto } from './create-push.dto.js';
import { filesFault } from './attached-files.js';
import { DURATION_SCALE } from './duration-scale.js';
import { payloadFault, textFault } from './payload-faults.js';
import type { Bounds, PushRules } from './push-rules.js';

/** Declares a rule by what it finds wrong: a message, or undefined when all is well. */
function Rule(
  name: string,
  fault: (value: unknown, push: CreatePushDto) => string | undefined,
): PropertyDecorator {
  const ask = (value: unknown, args?: ValidationArguments) => fault(value, args?.object as CreatePushDto);
  return ValidateBy({
    name,
    validator: {
      validate: (value, args) => ask(value, args) === undefined,
      defaultMessage: (args) => ask(args?.value, args) ?? '',
    },
  });
}

/** A whole number within bounds that the instance sets. */
export const Within = (boundsOf: (rules: PushRules) => Bounds) =>
  Rule('within', (value, { rules }) => {
    const { min, max } = boundsOf(rules);
    return isWholeNumberWithin(value, min, max) ? undefined : `must be a whole number from ${min} to ${max}`;
  });

/** A step of the scale whose days the instance allows. */
export const OnDurationScale = () =>
  Rule('onDurationScale', (value, { rules }) => {
    const last = DURATION_SCALE.length - 1;
    const duration = isWholeNumberWithin(value, 0, last) ? DURATION_SCALE[value] : undefined;
    if (!duration) return `must be a whole number from 0 to ${last}`;

    const { min, max } = rules.days;
    return isWholeNumberWithin(duration.days, min, max) ? undefined : `must stand for ${min} to ${max} days`;
  });

/** One of the kinds that the instance offers. */
export const EnabledKind = () =>
  Rule('enabledKind', (value, { rules }) =>
    (rules.enabledKinds as readonly unknown[]).includes(value)
      ? undefined
      : `must be one of those enabled here: ${rules.enabledKinds.join(', ')}`,
  );

/** Text of at most so many characters. */
export const Text = (most: number) => Rule('text', (value) => textFault(value, most));

/** A payload such as its kind asks for. */
export const FitsKind = () => Rule('fitsKind', (value, { kind }) => payloadFault(kind, value));

/** Files as the instance allows them; a push of kind file has at least one. */
export const AcceptableFiles = () =>
  Rule('acceptableFiles', (value, { kind, rules }) => filesFault(kind, value, rules));

function isWholeNumberWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
