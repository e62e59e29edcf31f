import type { PushKind } from '../../pushes/push-kind.js';
import type { PushRules } from '../../pushes/create/push-rules.js';
import { Carried } from './carried.js';
import { Checkbox, FaultTexts, Field, Input, TextArea } from './fields.js';
import type { Faults } from './fields.js';
import { FormNotice } from './form-notice.js';
import { Layout } from './layout.js';
import { Link, PostForm, useSite } from './site.js';
import { Sentence, useTexts } from './texts.js';
import { KINDS } from './words.js';

/** The fields as they were typed, without the secrets. */
export type Typed = Partial<Record<string, string>>;

interface HomeProps {
  rules: PushRules;
  /** Whether this visitor may attach files. */
  mayAttach: boolean;
  /** Hidden fields. */
  carried: Typed;
  typed?: Typed;
  faults?: Faults;
}

export function Home({ rules, mayAttach, carried, typed = {}, faults }: HomeProps) {
  const t = useTexts();
  const { days, views, defaults, files } = rules;
  const isChecked = (name: string, standard: boolean) => (faults ? typed[name] !== undefined : standard);
  return (
    <Layout title={t.text('home.title')} script="home">
      <h1>{t.text('home.title')}</h1>
      <p class="lede">{t.text('home.intro')}</p>
      <FormNotice faults={faults} />
      <PostForm to="/" encType="multipart/form-data" class="card" id="make" noValidate>
        <Carried fields={carried} typed={typed} />
        <Kinds rules={rules} mayAttach={mayAttach} chosen={typed.kind} faults={faults} />
        <TextArea
          name="payload"
          field="push[payload]"
          label={t.text('home.payload')}
          rows={5}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          faults={faults}
        />
        <p class="tools" hidden data-generator>
          <button type="button" class="secondary small" data-generate>
            {t.text('home.generate')}
          </button>
        </p>
        <div class="columns">
          <Input
            name="expire_after_views"
            field="push[expire_after_views]"
            label={t.text('home.views')}
            type="number"
            min={views.min}
            max={views.max}
            value={typed.expire_after_views ?? defaults.views}
            hint={t.text('home.viewsHint', { ...views })}
            faults={faults}
          />
          <Input
            name="expire_after_days"
            field="push[expire_after_days]"
            label={t.text('home.days')}
            type="number"
            min={days.min}
            max={days.max}
            value={typed.expire_after_days ?? defaults.days}
            hint={t.text('home.daysHint', { ...days })}
            faults={faults}
          />
        </div>
        <Input
          name="passphrase"
          field="push[passphrase]"
          label={t.text('home.passphrase')}
          type="password"
          autocomplete="new-password"
          hint={t.text('home.passphraseHint')}
          faults={faults}
        />
        <Checkbox
          name="retrieval_step"
          field="push[retrieval_step]"
          label={t.text('home.retrievalStep')}
          hint={t.text('home.retrievalStepHint')}
          checked={isChecked('retrieval_step', defaults.retrievalStep)}
        />
        <Checkbox
          name="deletable_by_viewer"
          field="push[deletable_by_viewer]"
          label={t.text('home.deletable')}
          checked={isChecked('deletable_by_viewer', defaults.deletableByViewer)}
        />
        <OwnersFields typed={typed} faults={faults} />
        {files.isEnabled && mayAttach && (
          <Field
            name="files"
            label={t.text('home.files')}
            hint={t.text('home.filesHint', { count: files.maxFiles, size: t.size(files.maxBytesInFile) })}
            faults={faults}
          >
            <input type="file" id="files" name="push[files][]" multiple aria-describedby="files-hint" />
          </Field>
        )}
        <button class="wide">{t.text('home.submit')}</button>
        <div class="upload" hidden data-upload>
          <label for="progress">{t.text('home.sending')}</label>
          <progress id="progress" max={100} value={0} />
          <button type="button" class="secondary small" data-cancel>
            {t.text('home.cancel')}
          </button>
        </div>
      </PostForm>
    </Layout>
  );
}

interface KindsProps {
  rules: PushRules;
  mayAttach: boolean;
  chosen?: string;
  faults?: Faults;
}

function Kinds({ rules, mayAttach, chosen = 'text', faults }: KindsProps) {
  const t = useTexts();
  const nameOf = (kind: PushKind) => t.text(`kind.${kind}`);
  const isOffered = (kind: PushKind) => rules.enabledKinds.includes(kind);
  const missing = KINDS.filter((kind) => !isOffered(kind));
  return (
    <fieldset class="kinds" data-field="kind">
      <legend>{t.text('home.kind')}</legend>
      <div class="segments">
        {KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name="push[kind]"
              value={kind}
              checked={kind === chosen}
              disabled={!isOffered(kind) || (kind === 'file' && !mayAttach)}
            />
            <span>{nameOf(kind)}</span>
          </label>
        ))}
      </div>
      {missing.length > 0 && (
        <p class="hint">{t.text('home.kindsMissing', { kinds: t.list(missing.map(nameOf)) })}</p>
      )}
      {isOffered('file') && !mayAttach && (
        <p class="hint">
          <Sentence
            of="home.signInForFiles"
            link={(label) => <Link to="/users/sign_in?next=%2F">{label}</Link>}
          />
        </p>
      )}
      {faults?.kind && <FaultTexts messages={faults.kind} />}
      {!mayAttach && faults?.files && <FaultTexts messages={faults.files} />}
    </fieldset>
  );
}

function OwnersFields({ typed, faults }: { typed: Typed; faults?: Faults }) {
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
        faults={faults}
      />
      <TextArea
        name="note"
        field="push[note]"
        label={t.text('home.note')}
        rows={2}
        value={typed.note}
        faults={faults}
      />
    </details>
  );
}
