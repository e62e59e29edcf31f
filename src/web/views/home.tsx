import type { PushKind } from '../../pushes/push-kind.js';
import type { PushRules } from '../../pushes/create/push-rules.js';
import { Checkbox, FaultNotice, Field, Input, TextArea } from './fields.js';
import type { Faults } from './fields.js';
import { Layout } from './layout.js';
import { Link, PostForm, useSite } from './site.js';
import { fileSize, KIND_NAMES, KINDS } from './words.js';

/** The fields as they were typed, without the secrets. */
export type Typed = Partial<Record<string, string>>;

interface HomeProps {
  rules: PushRules;
  /** Whether this visitor may attach files. */
  mayAttach: boolean;
  typed?: Typed;
  faults?: Faults;
}

export function Home({ rules, mayAttach, typed = {}, faults }: HomeProps) {
  const { days, views, defaults, files } = rules;
  const isChecked = (name: string, standard: boolean) => (faults ? typed[name] !== undefined : standard);
  return (
    <Layout title="Share a secret" script="home">
      <h1>Share a secret</h1>
      <p class="lede">
        You get a link to send. It shows the secret a few times, for a few days, and then it is gone.
      </p>
      <FaultNotice faults={faults} />
      <PostForm to="/" encType="multipart/form-data" class="card" id="make" noValidate>
        <Kinds rules={rules} mayAttach={mayAttach} chosen={typed.kind} faults={faults} />
        <TextArea
          name="payload"
          field="push[payload]"
          label="Secret"
          rows={5}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          faults={faults}
        />
        <p class="tools" hidden data-generator>
          <button type="button" class="secondary small" data-generate>
            Generate a password
          </button>
        </p>
        {files.isEnabled && mayAttach && (
          <Field
            name="files"
            label="Files"
            hint={`Up to ${files.maxFiles}, ${fileSize(files.maxBytesInFile)} each.`}
            faults={faults}
          >
            <input type="file" id="files" name="push[files][]" multiple aria-describedby="files-hint" />
          </Field>
        )}
        <div class="columns">
          <Input
            name="expire_after_views"
            field="push[expire_after_views]"
            label="Views"
            type="number"
            min={views.min}
            max={views.max}
            value={typed.expire_after_views ?? defaults.views}
            hint={`${views.min} to ${views.max}`}
            faults={faults}
          />
          <Input
            name="expire_after_days"
            field="push[expire_after_days]"
            label="Days"
            type="number"
            min={days.min}
            max={days.max}
            value={typed.expire_after_days ?? defaults.days}
            hint={`${days.min} to ${days.max}; whichever comes first ends it`}
            faults={faults}
          />
        </div>
        <Input
          name="passphrase"
          field="push[passphrase]"
          label="Passphrase (optional)"
          type="password"
          autocomplete="new-password"
          hint="Whoever opens the link needs it too. Send it another way than the link."
          faults={faults}
        />
        <Checkbox
          name="retrieval_step"
          field="push[retrieval_step]"
          label="Ask for a click before it opens"
          hint="Then programs that follow links by themselves never see it."
          checked={isChecked('retrieval_step', defaults.retrievalStep)}
        />
        <Checkbox
          name="deletable_by_viewer"
          field="push[deletable_by_viewer]"
          label="Whoever opens it may delete it"
          checked={isChecked('deletable_by_viewer', defaults.deletableByViewer)}
        />
        <OwnersFields typed={typed} faults={faults} />
        <button class="wide">Make the link</button>
        <div class="upload" hidden data-upload>
          <label for="progress">Sending…</label>
          <progress id="progress" max={100} value={0} />
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
  const isOffered = (kind: PushKind) => rules.enabledKinds.includes(kind);
  const missing = KINDS.filter((kind) => !isOffered(kind));
  return (
    <fieldset class="kinds" data-field="kind">
      <legend>What is it?</legend>
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
            <span>{KIND_NAMES[kind]}</span>
          </label>
        ))}
      </div>
      {missing.length > 0 && (
        <p class="hint">{`Switched off here: ${missing.map((kind) => KIND_NAMES[kind]).join(', ')}.`}</p>
      )}
      {isOffered('file') && !mayAttach && (
        <p class="hint">
          <Link to="/users/sign_in">Sign in</Link> to send files.
        </p>
      )}
      {faults?.kind && <p class="fault">{`The kind ${faults.kind.join(' ')}.`}</p>}
      {!mayAttach && faults?.files && <p class="fault">{faults.files.join(' ')}</p>}
    </fieldset>
  );
}

function OwnersFields({ typed, faults }: { typed: Typed; faults?: Faults }) {
  const { email } = useSite();
  if (email === undefined) return null;
  return (
    <details class="for-you" open={Boolean(typed.name) || Boolean(typed.note) || undefined}>
      <summary>For you alone</summary>
      <Input
        name="name"
        field="push[name]"
        label="Name"
        value={typed.name}
        hint="How you find it among your pushes."
        autocomplete="off"
        faults={faults}
      />
      <TextArea name="note" field="push[note]" label="Note" rows={2} value={typed.note} faults={faults} />
    </details>
  );
}
