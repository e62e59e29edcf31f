import type { PushRules } from '../../../pushes/create/push-rules.js';
import type { PushKind } from '../../../pushes/push/push-kind.js';
import { ErrorTexts } from '../fields.js';
import { Link } from '../site.js';
import { Sentence, useTexts } from '../texts.js';
import { KINDS } from '../words.js';
import type { FormPartProps } from './entered-fields.js';

interface KindsProps extends FormPartProps {
  rules: PushRules;
  mayAttach: boolean;
  /** The path of the form with its options. */
  form: string;
}

/** The choice of what to share. */
export function Kinds({ rules, mayAttach, form, typed: { kind: chosen = 'text' }, errors }: KindsProps) {
  const t = useTexts();
  const nameOf = (kind: PushKind) => t.text(`kind.${kind}`);
  const isOffered = (kind: PushKind) => rules.enabledKinds.includes(kind);
  const missing = KINDS.filter((kind) => !isOffered(kind));
  return (
    <fieldset class="choices kinds" data-field="kind">
      <legend>{t.text('home.kind')}</legend>
      <div class="segments">
        {KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name="push[kind]"
              value={kind}
              checked={kind === chosen}
              disabled={!isOffered(kind) || (kind === 'file' && !mayAttach && chosen !== 'file')}
            />
            <span>{nameOf(kind)}</span>
          </label>
        ))}
      </div>
      {missing.length > 0 && (
        <p class="hint">{t.text('home.kindsMissing', { kinds: t.list(missing.map(nameOf)) })}</p>
      )}
      {isOffered('file') && !mayAttach && (
        <p class="hint" hidden data-sign-in>
          <Sentence
            of="home.signInForFiles"
            link={(label) => <Link to={`/users/sign_in?next=${encodeURIComponent(form)}`}>{label}</Link>}
          />
        </p>
      )}
      {errors?.kind && <ErrorTexts problems={errors.kind} />}
      {!mayAttach && chosen !== 'file' && errors?.files && <ErrorTexts problems={errors.files} />}
    </fieldset>
  );
}
