import type { ComponentChildren } from 'preact';
import { CUSTOM } from './chosen.js';
import type { FieldErrors } from '../fields.js';
import { ErrorTexts } from '../fields.js';
import { useTexts } from '../texts.js';

interface Option {
  value: string;
  label: string;
  /** The lifetime in milliseconds, for the script that says when the push ends. */
  lifetime?: number;
}

interface ChoicesProps {
  /** The name of the errors, and the id of the number. */
  name: string;
  legend: string;
  field: string;
  options: Option[];
  chosen: string;
  errors?: FieldErrors;
  /** The number for the last option. */
  children: ComponentChildren;
}

/** A few options in a row, of which the last has a number typed in. */
export function Choices({ name, legend, field, options, chosen, errors, children }: ChoicesProps) {
  const t = useTexts();
  const all = [...options, { value: CUSTOM, label: t.text('home.custom') }] as Option[];
  return (
    <fieldset class="choices" data-field={name}>
      <legend>{legend}</legend>
      <div class="segments">
        {all.map(({ value, label, lifetime }) => (
          <label key={value}>
            <input
              type="radio"
              name={field}
              value={value}
              checked={value === chosen}
              data-lifetime={lifetime}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <div class="custom">{children}</div>
      {errors?.[name] && <ErrorTexts id={`${name}-error`} problems={errors[name]} />}
    </fieldset>
  );
}

interface NumberProps {
  name: string;
  field: string;
  label: string;
  hint: string;
  bounds: { min: number; max: number };
  value: string;
  isInvalid: boolean;
}

/** The number for `custom`. */
export function CustomNumber({ name, field, label, hint, bounds, value, isInvalid }: NumberProps) {
  return (
    <>
      <label for={name}>{label}</label>
      <input
        type="number"
        id={name}
        name={field}
        {...bounds}
        value={value}
        aria-describedby={isInvalid ? `${name}-hint ${name}-error` : `${name}-hint`}
        aria-invalid={isInvalid ? 'true' : undefined}
      />
      <span class="hint" id={`${name}-hint`}>
        {hint}
      </span>
    </>
  );
}
