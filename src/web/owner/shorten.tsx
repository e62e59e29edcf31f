import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import type { FieldErrors } from '../components/fields.js';
import { Input, TimeInput, timeIn } from '../components/fields.js';
import { FoldedForm } from '../components/folded-form.js';
import { useTexts } from '../components/site.js';
import type { FormFields } from '../forms/form.js';

export interface ShortenProps {
  push: OwnPushDto;
  /** As it was typed, when the form is shown again. */
  typed?: FormFields;
  errors?: FieldErrors;
}

/** Has a push allow fewer views, or end earlier. */
export function Shorten({ push, typed, errors }: ShortenProps) {
  const t = useTexts();
  const max = push.expire_after_views;
  const min = max - push.views_remaining + 1;
  return (
    <FoldedForm
      to={`/p/${push.url_token}/shorten`}
      heading="shorten.title"
      text="shorten.text"
      submit="shorten.submit"
      errors={errors}
    >
      <Input
        name="expire_after_views"
        label={t.text('shorten.views')}
        hint={t.text('shorten.viewsHint', { min, max })}
        type="number"
        min={min}
        max={max}
        value={typed?.expire_after_views ?? max}
        errors={errors}
      />
      <TimeInput
        name="expires_at"
        label={t.text('shorten.end')}
        value={typed?.expires_at_local}
        errors={errors}
      />
    </FoldedForm>
  );
}

/** What it changes, as the API has it. */
export function shorteningIn(fields: FormFields) {
  return { expire_after_views: fields.expire_after_views, expires_at: timeIn(fields, 'expires_at') };
}
