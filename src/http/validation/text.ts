import { CheckedBy } from './checked-by.js';
import { textError } from './text-error.js';

/** Text of at most `most` characters. */
export const Text = (most: number) => CheckedBy((value: unknown) => textError(value, most));
