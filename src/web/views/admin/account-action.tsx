import type { TextKey } from '../../../texts/en.js';
import type { FieldErrors } from '../fields.js';
import { FormNotice } from '../form-notice.js';
import { OwnPassword } from '../own-password.js';
import { PostForm } from '../site.js';
import { useTexts } from '../texts.js';

export interface AccountActionProps {
  accountId: string;
  /** The last part of the path. */
  action: string;
  heading: TextKey;
  text: TextKey;
  /** The text of the button, if it is not the heading. */
  submit?: TextKey;
  isDangerous?: boolean;
  errors?: FieldErrors;
}

/** Something that an administrator can do to an account. The form, which needs the administrator's own password, is folded away. */
export function AccountAction({
  accountId,
  action,
  heading,
  text,
  submit = heading,
  isDangerous,
  errors,
}: AccountActionProps) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text(heading)}</h2>
      <p>{t.text(text)}</p>
      <FormNotice errors={errors} />
      <details class="delete" open={errors ? true : undefined}>
        <summary>{t.text(heading)}</summary>
        <PostForm to={`/admin/accounts/${accountId}/${action}`}>
          <OwnPassword id={action} errors={errors} />
          <button class={isDangerous ? 'danger' : 'secondary'}>{t.text(submit)}</button>
        </PostForm>
      </details>
    </section>
  );
}
