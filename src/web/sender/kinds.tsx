import type { ComponentChildren } from 'preact';
import { usualWordCount, wordLanguage } from '../../shared/generator.js';
import type { PushKind } from '../../shared/push-kind.js';
import type { FieldErrors } from '../components/fields.js';
import { ErrorTexts, Field } from '../components/fields.js';
import { Link, Sentence, useSite, useTexts } from '../components/site.js';
import { KINDS } from '../components/words.js';
import { withNext } from '../pages/paths.js';
import type { FormPartProps, FormRules } from './form-options.js';
import type { FileRules } from '../../files/file-rules.js';
import { errorText } from '../language/error-texts.js';

/** The choice of what to share. */
export function Kinds({
  rules,
  typed: { kind: chosen = 'text' },
  errors,
}: FormPartProps & { rules: FormRules }) {
  const t = useTexts();
  const nameOf = (kind: PushKind) => t.text(`kind.${kind}`);
  const isOffered = (kind: PushKind) => rules.enabledKinds.includes(kind);
  const missing = KINDS.filter((kind) => !isOffered(kind));
  return (
    <fieldset class="choices kinds" data-field="kind">
      <legend class="visually-hidden">{t.text('home.kind')}</legend>
      <div class="segments">
        {KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name="push[kind]"
              value={kind}
              checked={kind === chosen}
              disabled={!isOffered(kind)}
            />
            <span>{nameOf(kind)}</span>
          </label>
        ))}
      </div>
      {missing.length > 0 && (
        <p class="hint">{t.text('home.kindsMissing', { kinds: t.list(missing.map(nameOf)) })}</p>
      )}
      {errors?.kind && <ErrorTexts problems={errors.kind} />}
    </fieldset>
  );
}

interface FilesProps {
  rules: FileRules;
  /** Whether this visitor may attach files only after signing in. */
  needSignIn?: boolean;
  /** The path of the form with its options. */
  form: string;
  errors?: FieldErrors;
}

/**
 * The field of files. It is last in the form, because fields after a rejected file would not be read. A script shows
 * the rest of the field further up, and checks the limits as files are chosen. A visitor who has to sign in first may
 * choose files before that, where scripts run: they are sent afterwards.
 */
export function Files({ rules, needSignIn = false, form, errors }: FilesProps) {
  const t = useTexts();
  return (
    <Field
      name="files"
      label={t.text('home.files')}
      hint={t.text('home.filesHint', {
        count: rules.maxFiles,
        size: t.size(rules.maxBytesInFile),
        total: t.size(rules.maxBytesInPush),
      })}
      errors={errors}
      hidden={needSignIn && !errors?.files}
    >
      {needSignIn && <SignInForFiles form={form} />}
      <input
        type="file"
        id="files"
        name="push[files][]"
        multiple
        aria-describedby="files-hint"
        data-max-files={rules.maxFiles}
        data-max-bytes={rules.maxBytesInFile}
        data-max-bytes-in-all={rules.maxBytesInPush}
        data-too-many={errorText(rules.tooManyFiles, t)}
        data-too-large={errorText(rules.fileTooLarge, t)}
        data-too-large-in-all={errorText(rules.pushTooLarge, t)}
      />
      <div class="drop" hidden data-drop>
        <button type="button" class="secondary small" aria-describedby="files-hint" data-choose>
          {t.text('home.chooseFiles')}
        </button>
        <span class="hint">{t.text('home.dropFiles')}</span>
      </div>
      <ul class="files chosen" hidden aria-live="polite" data-chosen />
      <p class="live-error" aria-live="polite" data-files-error />
    </Field>
  );
}

/** Says that files need an account. A script opens its links in another tab if anything would be lost. */
function SignInForFiles({ form }: { form: string }) {
  const { maySignUp } = useSite();
  return (
    <p class="alert" data-sign-in>
      <Sentence
        of={maySignUp ? 'home.filesNeedAccount' : 'home.filesNeedSignIn'}
        link={(label) => <Link to={withNext('/users/sign_in', form)}>{label}</Link>}
        create={(label) => <Link to={withNext('/users/sign_up', form)}>{label}</Link>}
      />
    </p>
  );
}

interface GeneratorProps {
  /** The id of the field that it fills. */
  field: string;
  label: string;
  /** Whether it makes words unless something else is chosen: they can be said on the phone. */
  isOfWords?: boolean;
  children?: ComponentChildren;
}

/** Offers to insert something random into a field. A script shows it, and its options once it was used. */
export function Generator({ field, label, isOfWords = false, children }: GeneratorProps) {
  const t = useTexts();
  const language = wordLanguage(t.language);
  return (
    <div class="generator" hidden data-generator={field} data-words={language}>
      <div class="tools">
        <button type="button" class="secondary small" data-generate>
          {label}
        </button>
        {children}
      </div>
      <details hidden>
        <summary>{t.text('home.generatorOptions')}</summary>
        <div class="options">
          <label>
            {t.text('home.generatorOf')}
            <select data-option="of">
              <option value="characters">{t.text('home.generatorCharacters')}</option>
              <option value="words" selected={isOfWords}>
                {t.text('home.generatorWords')}
              </option>
            </select>
          </label>
          <label data-of="characters">
            {t.text('home.generatorLength')}
            <input type="number" data-option="length" min={8} max={64} value={20} />
          </label>
          <label data-of="characters" class="tick">
            <input type="checkbox" data-option="symbols" checked />
            {t.text('home.generatorSymbols')}
          </label>
          <label data-of="words" hidden>
            {t.text('home.generatorCount')}
            <input type="number" data-option="words" min={3} max={10} value={usualWordCount(language)} />
          </label>
        </div>
      </details>
      <p class="hint" role="status" data-status />
    </div>
  );
}
