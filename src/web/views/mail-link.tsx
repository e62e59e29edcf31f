import { FormNotice } from './form-notice.js';
import { Input } from './fields.js';
import type { FieldErrors } from './fields.js';
import { PostForm } from './site.js';
import { useTexts } from './texts.js';

interface MailLinkProps {
  urlToken: string;
  /** The addresses as they were typed, when the form is shown again. */
  typed?: string;
  errors?: FieldErrors;
}

/** Has the link of a push sent by mail. */
export function MailLink({ urlToken, typed, errors }: MailLinkProps) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('mailLink.title')}</h2>
      <FormNotice errors={errors} />
      <PostForm to={`/p/${urlToken}/notify_emails`}>
        <Input
          name="notify_emails_to"
          label={t.text('mailLink.addresses')}
          hint={t.text('mailLink.hint')}
          value={typed}
          inputMode="email"
          autocomplete="off"
          required
          errors={errors}
          autofocus={errors !== undefined}
        />
        <input type="hidden" name="notify_emails_to_locale" value={t.language} />
        <button class="secondary">{t.text('mailLink.submit')}</button>
      </PostForm>
    </section>
  );
}
