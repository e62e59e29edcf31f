import { CheckedBy } from './checked-by.js';
import { textError } from './text-error.js';

/** Text of at most `max` characters. */
export const Text = (max: number) => CheckedBy((value: unknown) => textError(value, max));
