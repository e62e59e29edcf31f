import type { FieldErrors } from './fields.js';
import { Input } from './fields.js';
import { useTexts } from './texts.js';

/** The password of the administrator. Several forms of a page have this field, so its id differs between them and its name does not. */
export function OwnPassword({ id, errors }: { id: string; errors?: FieldErrors }) {
  const name = `${id}-password`;
  return (
    <Input
      name={name}
      field="password"
      label={useTexts().text('admin.ownPassword')}
      type="password"
      autocomplete="current-password"
      required
      errors={errors && { [name]: errors.password }}
      autofocus={errors?.password !== undefined}
    />
  );
}
