import type { FieldErrors } from './fields.js';
import { Input } from './fields.js';
import { ShowField } from './show-field.js';
import { useTexts } from './texts.js';

interface NewPasswordProps {
  /** The name of the field. */
  name: string;
  label: string;
  hint: string;
  errors?: FieldErrors;
  autofocus?: boolean;
}

/**
 * A new password, which cannot be read while it is typed: it is typed twice, or, where scripts run, can be shown with a
 * button, and the second field is removed.
 */
export function NewPassword({ name, label, hint, errors, autofocus }: NewPasswordProps) {
  const t = useTexts();
  return (
    <>
      <Input
        name={name}
        label={label}
        type="password"
        autocomplete="new-password"
        hint={hint}
        required
        errors={errors}
        autofocus={autofocus}
      />
      <p class="tools">
        <ShowField field={name} show={t.text('password.show')} hide={t.text('password.hide')} />
      </p>
      <div data-repeat>
        <Input
          name={`${name}_repeat`}
          label={t.text('password.repeat')}
          type="password"
          autocomplete="new-password"
          required
          errors={errors}
        />
      </div>
    </>
  );
}
