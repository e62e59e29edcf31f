import { CheckedBy } from '../../http/validation/checked-by.js';
import { Problem } from '../../errors/problem.js';

/**
 * The second entry of a new password, which must be the same as that of the property. Our script removes the field from
 * the form, and shows a button that shows the password instead; then it is undefined.
 */
export const RepeatOf = (property: string) =>
  CheckedBy((repeat: unknown, dto: Record<string, unknown>) =>
    repeat === undefined || repeat === dto[property] ? undefined : new Problem('passwords_differ'),
  );
