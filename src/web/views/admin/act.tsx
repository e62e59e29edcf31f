import type { TextKey } from '../../../texts/en.js';
import type { FieldErrors } from '../fields.js';
import { Input } from '../fields.js';
import { FormNotice } from '../form-notice.js';
import { PostForm } from '../site.js';
import { useTexts } from '../texts.js';

interface ActProps {
  /** The id of the account. */
  of: string;
  /** The last part of the path. */
  act: string;
  heading: TextKey;
  text: TextKey;
  submit: TextKey;
  isDangerous?: boolean;
  errors?: FieldErrors;
}

/** Something that an administrator can do to an account. The form, which needs the administrator's own password, is folded away. */
export function Act({ of, act, heading, text, submit, isDangerous, errors }: ActProps) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text(heading)}</h2>
      <p>{t.text(text)}</p>
      <FormNotice errors={errors} />
      <details class="delete" open={errors ? true : undefined}>
        <summary>{t.text(heading)}</summary>
        <PostForm to={`/admin/accounts/${of}/${act}`}>
          <OwnPassword act={act} errors={errors} />
          <button class={isDangerous ? 'danger' : 'secondary'}>{t.text(submit)}</button>
        </PostForm>
      </details>
    </section>
  );
}

/** Several forms of the page have this field, so its id differs between them and its name does not. */
function OwnPassword({ act, errors }: { act: string; errors?: FieldErrors }) {
  const id = `${act}-password`;
  return (
    <Input
      name={id}
      field="password"
      label={useTexts().text('admin.ownPassword')}
      type="password"
      autocomplete="current-password"
      required
      errors={errors && { [id]: errors.password }}
      autofocus={errors?.password !== undefined}
    />
  );
}
