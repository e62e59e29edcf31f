import type { PushKind } from '../../shared/push-kind.js';
import type { FileRules } from '../../files/file-rules.js';
import { Banner } from '../components/banner.js';
import { Button } from '../components/button.js';
import { Segment, Segments } from '../components/choices.js';
import { ErrorTexts, Hint } from '../components/fields.js';
import { FileField } from '../components/file-field.js';
import { useForm } from '../components/filled-form.js';
import { Generator } from '../components/generator.js';
import type { IconName } from '../components/icon.js';
import { Composer, ComposerBar } from '../components/sheet.js';
import { Link, Sentence, useSite, useTexts } from '../components/site.js';
import { KINDS } from '../components/words.js';
import { errorText } from '../language/error-texts.js';
import { withNext } from '../pages/paths.js';
import type { FormRules } from './form-options.js';

const ICONS: Record<PushKind, IconName> = { text: 'text', file: 'files', url: 'link', qr: 'qr' };

/** The choice of what to share. */
export function Kinds({ rules }: { rules: FormRules }) {
  const t = useTexts();
  const { errors, typed } = useForm();
  const { kind: chosen = 'text' } = typed;
  const nameOf = (kind: PushKind) => t.text(`kind.${kind}`);
  const isOffered = (kind: PushKind) => rules.enabledKinds.includes(kind);
  const missing = KINDS.filter((kind) => !isOffered(kind));
  return (
    <div data-field="kind">
      <Segments label="home.kind" isStacked>
        {KINDS.map((kind) => (
          <Segment
            key={kind}
            icon={ICONS[kind]}
            name="push[kind]"
            value={kind}
            checked={kind === chosen}
            disabled={!isOffered(kind)}
          >
            {nameOf(kind)}
          </Segment>
        ))}
      </Segments>
      {errors?.kind && <ErrorTexts id="kind-error" problems={errors.kind} />}
      {missing.length > 0 && (
        <Hint>{t.text('home.kindsMissing', { kinds: t.list(missing.map(nameOf)) })}</Hint>
      )}
    </div>
  );
}

/** Browsers neither remember nor change what is typed into these fields. */
export const AS_TYPED = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const;

/** The secret, which is shown again with no form. A script says what it is of the chosen kind. */
export function Secret() {
  const t = useTexts();
  const { errors, typed } = useForm();
  const isMessage = typed.kind === 'file';
  const placeholder = t.text('home.placeholder');
  return (
    <Composer
      name="payload"
      label={t.text(isMessage ? 'script.labelFile' : 'script.labelText')}
      isLabelHidden={!isMessage}
      isMessage={isMessage}
      rows={isMessage ? 2 : 4}
      placeholder={isMessage ? undefined : placeholder}
      data-placeholder={isMessage ? placeholder : undefined}
      autofocus={!errors}
      {...AS_TYPED}
      bar={
        <ComposerBar>
          <Button type="button" look="quiet" size="small" icon="dice" data-generate="payload">
            {t.text('home.generate')}
          </Button>
        </ComposerBar>
      }
    >
      <p class="gap-sm" role="status" hidden data-https />
      <Generator field="payload" />
    </Composer>
  );
}

interface FilesProps {
  rules: FileRules;
  /** Whether this visitor may attach files only after signing in. */
  needSignIn?: boolean;
  /** The path of the form with its options. */
  form: string;
  /** What the metadata of uploads says they are for; for a push of the visitor, nothing. */
  uploadsFor?: Record<string, string>;
}

/**
 * The field of files. It is last in the form, because fields after a rejected file would not be read. A script shows
 * the rest of the field further up, and checks the limits as files are chosen. A visitor who has to sign in first may
 * choose files before that, where scripts run: they are sent afterwards. A script sends large files before the form.
 */
export function Files({ rules, needSignIn = false, form, uploadsFor }: FilesProps) {
  const { base } = useSite();
  const t = useTexts();
  const { pageUploads } = rules;
  const { errors } = useForm();
  return (
    <FileField
      name="files"
      hint={t.text('home.filesHint', {
        count: rules.maxFiles,
        size: t.size(rules.maxBytesInFile),
        total: t.size(rules.maxBytesInPush),
      })}
      isHidden={needSignIn && !errors?.files}
      notice={needSignIn ? <SignInForFiles form={form} /> : undefined}
      input={{
        name: 'push[files][]',
        'data-max-files': rules.maxFiles,
        'data-max-bytes': rules.maxBytesInFile,
        'data-max-bytes-in-all': rules.maxBytesInPush,
        'data-too-many': errorText(rules.tooManyFiles, t),
        'data-too-large': errorText(rules.fileTooLarge, t),
        'data-too-large-in-all': errorText(rules.pushTooLarge, t),
        ...(pageUploads && {
          'data-parts-to': base + pageUploads.path,
          'data-part-bytes': pageUploads.partBytes,
          'data-parts-for': uploadsFor && JSON.stringify(uploadsFor),
        }),
      }}
    />
  );
}

/** Says that files need an account. A script opens its links in another tab if anything would be lost. */
function SignInForFiles({ form }: { form: string }) {
  const { maySignUp } = useSite();
  return (
    <Banner data-sign-in>
      <Sentence
        of={maySignUp ? 'home.filesNeedAccount' : 'home.filesNeedSignIn'}
        link={(label) => <Link to={withNext('/users/sign_in', form)}>{label}</Link>}
        create={(label) => <Link to={withNext('/users/sign_up', form)}>{label}</Link>}
      />
    </Banner>
  );
}
