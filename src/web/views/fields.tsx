import type { Problem } from '../../errors/problem.js';
import { errorText } from '../language/error-texts.js';
import { useTexts } from './texts.js';
import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';

/** What is wrong with the fields of a form, by field name. Texts are of added modules. */
export type FieldErrors = Record<string, (Problem | string)[] | undefined>;

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  errors?: FieldErrors;
}

/** A label, a control, a hint, and its errors. */
export function Field({ name, label, hint, errors, children }: FieldProps & { children: ComponentChildren }) {
  const problems = errors?.[name];
  return (
    <div class="field" data-field={name}>
      <label for={name}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
    </div>
  );
}

/** What is wrong with a field, in the language of the page. */
export function ErrorTexts({ problems, id }: { problems: (Problem | string)[]; id?: string }) {
  const t = useTexts();
  return (
    <p class="error" id={id}>
      {problems.map((problem) => errorText(problem, t)).join(' ')}
    </p>
  );
}

type InputProps = FieldProps & Omit<InputHTMLAttributes, 'name' | 'label'> & { field?: string };

/** A single-line field. `field` is its name in the request where that differs. */
export function Input({ name, label, hint, errors, field = name, ...rest }: InputProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <input id={name} name={field} {...describedBy(name, hint, errors)} {...rest} />
    </Field>
  );
}

type TextAreaProps = FieldProps & Omit<TextareaHTMLAttributes, 'name' | 'label'> & { field?: string };

/** A multi-line field. */
export function TextArea({ name, label, hint, errors, field = name, ...rest }: TextAreaProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <textarea id={name} name={field} {...describedBy(name, hint, errors)} {...rest} />
    </Field>
  );
}

type CheckboxProps = { name: string; label: string; hint?: string; field?: string } & Omit<
  InputHTMLAttributes,
  'name' | 'label'
>;

export function Checkbox({ name, label, hint, field = name, ...rest }: CheckboxProps) {
  return (
    <div class="field checkbox">
      <input type="checkbox" id={name} name={field} {...describedBy(name, hint, undefined)} {...rest} />
      <div>
        <label for={name}>{label}</label>
        {hint !== undefined && (
          <p class="hint" id={`${name}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

function describedBy(name: string, hint: string | undefined, errors: FieldErrors | undefined) {
  const isInvalid = errors?.[name] !== undefined;
  const ids = [hint !== undefined && `${name}-hint`, isInvalid && `${name}-error`].filter(Boolean);
  return {
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': isInvalid ? ('true' as const) : undefined,
  };
}
