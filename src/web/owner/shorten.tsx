import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import { useForm } from '../components/filled-form.js';
import { Input, TimeInput, timeIn } from '../components/fields.js';
import { FoldedForm } from '../components/folded-form.js';
import { useTexts } from '../components/site.js';
import type { FormFields } from '../components/filled-form.js';

/** The fragment of the address of the page that has the form open. */
export const SHORTEN = 'shorten';

/** Has a push allow fewer views, or end earlier. */
export function Shorten({ push }: { push: OwnPushDto }) {
  const t = useTexts();
  const to = `/p/${push.url_token}/shorten`;
  const max = push.expire_after_views;
  const min = max - push.views_remaining + 1;
  return (
    <FoldedForm
      to={to}
      id={SHORTEN}
      icon="clock"
      heading="shorten.title"
      text="shorten.text"
      submit="shorten.submit"
    >
      <Input
        name="expire_after_views"
        label={t.text('shorten.views')}
        hint={t.text('shorten.viewsHint', { min, max })}
        type="number"
        min={min}
        max={max}
        value={useForm(to).typed.expire_after_views ?? max}
      />
      <TimeInput name="expires_at" label={t.text('shorten.end')} />
    </FoldedForm>
  );
}

/** What it changes, as the API has it. */
export function shorteningIn(fields: FormFields) {
  return { expire_after_views: fields.expire_after_views, expires_at: timeIn(fields, 'expires_at') };
}
