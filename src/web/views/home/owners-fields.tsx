import { Input, TextArea } from '../fields.js';
import { useSite } from '../site.js';
import { useTexts } from '../texts.js';
import type { Filled } from './typed.js';

/** The fields that are useful only to the signed-in owner of a push. */
export function OwnersFields({ typed, errors }: Filled) {
  const { email } = useSite();
  const t = useTexts();
  if (email === undefined) return null;
  return (
    <details class="for-you" open={Boolean(typed.name) || Boolean(typed.note) || undefined}>
      <summary>{t.text('home.ownerFields')}</summary>
      <Input
        name="name"
        field="push[name]"
        label={t.text('home.name')}
        value={typed.name}
        hint={t.text('home.nameHint')}
        autocomplete="off"
        errors={errors}
      />
      <TextArea
        name="note"
        field="push[note]"
        label={t.text('home.note')}
        rows={2}
        value={typed.note}
        errors={errors}
      />
      <p class="hint" hidden data-when-encrypting>
        {t.text('endToEnd.ownerFields')}
      </p>
    </details>
  );
}
