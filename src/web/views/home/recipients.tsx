import type { EndToEnd } from '../../../settings/settings.js';
import { Input } from '../fields.js';
import { useSite } from '../site.js';
import { useTexts } from '../texts.js';
import type { FormPartProps } from './entered-fields.js';

/** Who gets the link by mail. A script hides it while the browser encrypts: then only the browser has the whole link. */
export function Recipients({ endToEnd, typed, errors }: FormPartProps & { endToEnd: EndToEnd }) {
  const { mayAskForMails } = useSite();
  const t = useTexts();
  if (!(mayAskForMails || errors?.notify_emails_to) || endToEnd === 'required') return null;
  return (
    <>
      <div data-unless-encrypting>
        <Input
          name="notify_emails_to"
          field="push[notify_emails_to]"
          label={t.text('mailLink.recipients')}
          hint={t.text('mailLink.hint')}
          value={typed.notify_emails_to}
          inputMode="email"
          autocomplete="off"
          errors={errors}
        />
        <input type="hidden" name="push[notify_emails_to_locale]" value={t.language} />
      </div>
      <p class="hint" hidden data-when-encrypting>
        {t.text('mailLink.notEncrypted')}
      </p>
    </>
  );
}
