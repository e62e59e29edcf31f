import type { VNode } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../../platform/errors/problem.js';

/** The text fields of a form. */
export type FormFields = Partial<Record<string, string>>;

/** What is wrong with the fields of a form, by field name. Texts are of added modules. */
export type FieldErrors = Record<string, (Problem | string)[] | undefined>;

/** A form that is not empty when its page is shown, such as one that was rejected. */
export interface FilledForm {
  /** The path that it is sent to, if that tells it from the other forms of the page. */
  path?: string;
  /** What was typed, of which no secret may be shown again. */
  typed: FormFields;
  errors?: FieldErrors;
}

const EMPTY: FilledForm = { typed: {} };

const FilledFormContext = createContext(EMPTY);

/** A page on which this form is not empty. */
export function withForm(form: Partial<FilledForm>, page: VNode): VNode {
  return <FilledFormContext.Provider value={{ ...EMPTY, ...form }}>{page}</FilledFormContext.Provider>;
}

/** The form around a component, and what its fields are below in the request. */
export const EnclosingForm = createContext<(FilledForm & { under?: string }) | undefined>(undefined);

/**
 * What is in the form that is sent to one of these paths: by default the one around the component or, outside of all
 * forms, the one that is not empty.
 */
export function useForm(...paths: (string | undefined)[]): FilledForm & { under?: string } {
  const filled = useContext(FilledFormContext);
  const enclosing = useContext(EnclosingForm);
  if (paths[0] === undefined) return enclosing ?? filled;
  return filled.path === undefined || paths.includes(filled.path) ? filled : EMPTY;
}
