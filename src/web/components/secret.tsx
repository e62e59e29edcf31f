import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';
import { ErrorPlace } from './status.js';
import { UNTRANSLATED, useTexts } from './site.js';

/** What a script hides as long as the reader wants it: all with `data-hideable`. */
export function SecretBox({ children }: { children: ComponentChildren }) {
  return <div data-secret>{children}</div>;
}

/** The secret itself. */
export function SecretText({ text }: { text: string }) {
  return (
    <>
      <pre
        class="secret"
        id="secret"
        tabIndex={0}
        aria-label={useTexts().text('secret.label')}
        data-hideable
        {...UNTRANSLATED}
      >
        {text}
      </pre>
      <p class="secret" hidden aria-hidden="true" data-dots>
        {DOTS}
      </p>
    </>
  );
}

/** As many for every secret. */
const DOTS = '•'.repeat(12);

/** What somebody has written to the files: it is read, not copied. */
export function OpenedMessage({ text }: { text: string }) {
  return (
    <p class="message gap-top" id="secret" dir="auto" {...UNTRANSLATED}>
      {text}
    </p>
  );
}

/** A button with which a script hides the secret and shows it again: client/page/secrets.ts. */
export function HideButton() {
  const t = useTexts();
  const [show, hide] = [t.text('secret.show'), t.text('secret.hide')];
  return (
    <button
      type="button"
      class="btn lg"
      hidden
      aria-controls="secret"
      data-hide
      data-label-show={show}
      data-label-hide={hide}
    >
      <Icon name="eye" hidden />
      <Icon name="eye-off" />
      <span data-words>{hide}</span>
    </button>
  );
}

/** Asks for the file with the key that opens an answer. */
export function KeyFileField({ label }: { label: string }) {
  return (
    <div class="field gap-top">
      <label class="label" for="key-file">
        {label}
      </label>
      <input class="input" type="file" id="key-file" data-key-file />
      <ErrorPlace data-key-error />
    </div>
  );
}
