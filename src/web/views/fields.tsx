import { faultText } from '../texts/fault-texts.js';
import { useTexts } from './texts.js';
import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';

/** The errors of the fields of a form, by field name, in the words of the rules: see fault-texts.ts. */
export type Faults = Record<string, string[] | undefined>;

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  faults?: Faults;
}

/** A label, a control, a hint, and its errors. */
export function Field({ name, label, hint, faults, children }: FieldProps & { children: ComponentChildren }) {
  const messages = faults?.[name];
  return (
    <div class="field" data-field={name}>
      <label for={name}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {messages && <FaultTexts id={`${name}-fault`} messages={messages} />}
    </div>
  );
}

/** Error messages of the rules, in the language of the page. */
export function FaultTexts({ messages, id }: { messages: string[]; id?: string }) {
  const t = useTexts();
  return (
    <p class="fault" id={id}>
      {messages.map((message) => faultText(message, t)).join(' ')}
    </p>
  );
}

type InputProps = FieldProps & Omit<InputHTMLAttributes, 'name' | 'label'> & { field?: string };

/** A single-line field. `field` is its name in the request where that differs. */
export function Input({ name, label, hint, faults, field = name, ...rest }: InputProps) {
  return (
    <Field name={name} label={label} hint={hint} faults={faults}>
      <input id={name} name={field} {...describedBy(name, hint, faults)} {...rest} />
    </Field>
  );
}

type TextAreaProps = FieldProps & Omit<TextareaHTMLAttributes, 'name' | 'label'> & { field?: string };

/** A multi-line field. */
export function TextArea({ name, label, hint, faults, field = name, ...rest }: TextAreaProps) {
  return (
    <Field name={name} label={label} hint={hint} faults={faults}>
      <textarea id={name} name={field} {...describedBy(name, hint, faults)} {...rest} />
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

function describedBy(name: string, hint: string | undefined, faults: Faults | undefined) {
  const isFaulty = faults?.[name] !== undefined;
  const ids = [hint !== undefined && `${name}-hint`, isFaulty && `${name}-fault`].filter(Boolean);
  return {
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': isFaulty ? ('true' as const) : undefined,
  };
}
