import { useTexts } from './site.js';
import type { FieldErrors } from './fields.js';
import { describedBy, Field } from './fields.js';

interface TimeInputProps {
  name: string;
  label: string;
  /** What it is called in the request, of which `timeIn` reads it; by default its name. */
  field?: (part: string) => string;
  /** As it was typed, without a zone. */
  value?: string;
  errors?: FieldErrors;
  /** See Options. */
  'data-set-as'?: string;
}

/** A date and a time of day: in UTC, or in the zone of the browser where a script says in the second field which it is. */
export function TimeInput({ name, label, field = (part) => part, errors, ...rest }: TimeInputProps) {
  const t = useTexts();
  const hint = t.text('timeInput.utc');
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <input
        type="datetime-local"
        id={name}
        name={field(`${name}_local`)}
        {...describedBy(name, hint, errors)}
        {...rest}
      />
      <input type="hidden" name={field(`${name}_zone`)} value="Z" data-zone-of={name} />
    </Field>
  );
}

/** The time in the fields of a `TimeInput`, as the API has it; empty without one. Whatever else was sent is no time. */
export function timeIn(fields: Record<string, unknown>, name: string): string {
  const { [`${name}_local`]: local, [`${name}_zone`]: zone } = fields;
  return typeof local === 'string' && local !== '' ? local + (typeof zone === 'string' ? zone : 'Z') : '';
}
