import { errorText } from '../texts/error-texts.js';
import type { FieldErrors } from './fields.js';
import { OWNER_CHANGED } from '../home/form-owner.js';
import { Link, useSite } from './site.js';
import { Sentence, useTexts } from './texts.js';

/** What is wrong with a form. It is there from the start, so that what a script writes into it is read out. */
export function FormNotice({ errors }: { errors?: FieldErrors }) {
  const t = useTexts();
  return (
    <div role="alert" data-notice>
      {errors && (
        <p class="notice bad">
          {errors.form?.map((message) => errorText(message, t)).join(' ') ?? t.text('field.invalid')}
          {errors.form?.includes(OWNER_CHANGED) && (
            <>
              {' '}
              <WhoseItIsNow />
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** Whose the link becomes if the form is sent again. */
function WhoseItIsNow() {
  const { email } = useSite();
  const t = useTexts();
  if (email !== undefined) return <>{t.text('home.nowOwner', { email })}</>;
  return (
    <Sentence
      of="home.nowNobody"
      link={(label) => (
        <Link to="/users/sign_in?next=%2F" target="_blank" rel="noopener">
          {label}
        </Link>
      )}
    />
  );
}
