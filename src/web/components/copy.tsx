import type { TextKey } from '../../texts/text-parameters.js';
import { Banner } from './banner.js';
import { Button, IconButton } from './button.js';
import { Icon } from './icon.js';
import { useTexts, UNTRANSLATED } from './site.js';
import { Field, ShowField, WithTools } from './fields.js';

/** The whole link of a push in one line, to be copied by hand or with a button. */
export function LinkToCopy({ url, look }: { url: string; look?: 'primary' }) {
  const t = useTexts();
  return (
    <div class="link-line">
      <input
        class="input"
        id="link"
        aria-label={t.text('copy.link')}
        readOnly
        autocomplete="off"
        spellcheck={false}
        value={url}
        {...UNTRANSLATED}
      />
      <Button type="button" look={look} icon="copy" hidden data-copy="link">
        {t.text('copy.linkButton')}
      </Button>
    </div>
  );
}

interface CopyNowProps {
  text: TextKey;
  /** What a script says in its place once that has been done. */
  then?: TextKey;
}

/** What to do about a value before the page is left. */
export function CopyNow({ text, then }: CopyNowProps) {
  const t = useTexts();
  return (
    <p class="once">
      <Icon name="alert" size="small" />
      {then === undefined ? (
        t.text(text)
      ) : (
        <>
          <span data-until-taken>{t.text(text)}</span>
          <span hidden data-once-taken>
            {t.text(then)}
          </span>
        </>
      )}
    </p>
  );
}

interface ValueToCopyProps {
  id: string;
  label: string;
  value: string;
}

/** A value in a field with a button that copies it. */
export function CopyField({ id, label, value, copyLabel }: ValueToCopyProps & { copyLabel?: string }) {
  const t = useTexts();
  return (
    <WithTools
      tools={
        <IconButton
          icon="copy"
          label={copyLabel ?? `${t.text('copy.button')}: ${label}`}
          hidden
          data-copy={id}
        />
      }
    >
      <input
        class="input mono"
        id={id}
        aria-label={label}
        value={value}
        readOnly
        autocomplete="off"
        {...UNTRANSLATED}
      />
    </WithTools>
  );
}

/** A passphrase that the sender has to send, too: masked until it is shown. A script fills it in. */
export function PassphraseToCopy() {
  const t = useTexts();
  return (
    <Field
      name="passphrase"
      label={t.text('open.passphrase')}
      hint={t.text('created.passphraseHint')}
      tools={[
        <ShowField key="show" field="passphrase" />,
        <IconButton
          key="copy"
          icon="copy"
          label={t.text('home.copyPassphrase')}
          hidden
          data-copy="passphrase"
        />,
      ]}
    >
      <input
        class="input mono"
        type="password"
        id="passphrase"
        readOnly
        autocomplete="off"
        aria-describedby="passphrase-hint"
        {...UNTRANSLATED}
      />
    </Field>
  );
}

/** A value that has just been made and is not shown again. */
export function ValueToCopy({ id, label, value }: ValueToCopyProps) {
  return (
    <Banner kind="done" role="status">
      <label class="label" for={id}>
        {label}
      </label>
      <CopyField id={id} label={label} value={value} />
    </Banner>
  );
}

interface CommandsProps {
  /** Of the block, if a button copies it. */
  id?: string;
  children: string;
}

/** Commands or code, as they are typed. */
export function Commands({ id, children }: CommandsProps) {
  const block = (
    <pre class="pre" id={id} tabIndex={0} {...UNTRANSLATED}>
      {children}
    </pre>
  );
  const label = useTexts().text('copy.button');
  if (id === undefined) return block;
  return (
    <div class="commands">
      {block}
      <IconButton icon="copy" label={label} hidden data-copy={id} />
    </div>
  );
}
