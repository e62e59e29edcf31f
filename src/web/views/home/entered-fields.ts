import type { FieldErrors } from '../fields.js';

/** The fields as they were typed, without the secrets. */
export type EnteredFields = Partial<Record<string, string>>;

/** The typed values that each part of the form shows again. */
export interface FormPartProps {
  typed: EnteredFields;
  errors?: FieldErrors;
}
