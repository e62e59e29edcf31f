import type { Problem } from '../../errors/problem.js';
import { Input } from './fields.js';
import { linkDigest } from './link-digest.js';
import { PostForm } from './site.js';
import { useTexts } from './texts.js';

/** Password managers would offer to save a passphrase, which is not a password of this site. */
const NOT_SAVED = {
  autocomplete: 'off',
  'data-1p-ignore': '',
  'data-bwignore': '',
  'data-lpignore': 'true',
};

interface OpenFormProps {
  urlToken: string;
  passphraseRequired: boolean;
  /** If true, a script computes the passphrase that is sent, and shows the field if the link says that it is needed. */
  isClientEncrypted?: boolean;
  /** Whether a script may send it when the page is shown for the first time. */
  isSentAtOnce?: boolean;
  /** What was wrong with the passphrase. */
  error?: Problem | string;
}

/** The form that opens a push. A script says in place why it was not opened, and shows the button of a second view. */
export function OpenForm(props: OpenFormProps) {
  const { urlToken, passphraseRequired, isClientEncrypted = false, isSentAtOnce = false } = props;
  const t = useTexts();
  return (
    <PostForm
      to={`/p/${urlToken}`}
      id="open"
      data-link={linkDigest(urlToken)}
      data-at-once={isSentAtOnce ? '' : undefined}
    >
      {passphraseRequired && <Passphrase {...props} />}
      {isClientEncrypted && <p class="hint" id="open-status" role="status" />}
      <p class="error" id="open-error" role="alert" />
      <button class="wide">
        <span data-when="first sent">{t.text('open.submit')}</span>
        <span data-when="opened last" hidden>
          {t.text('open.again')}
        </span>
      </button>
    </PostForm>
  );
}

function Passphrase({ isClientEncrypted = false, error }: OpenFormProps) {
  const t = useTexts();
  return (
    <div hidden={isClientEncrypted} data-passphrase>
      <Input
        name="passphrase"
        label={t.text('open.passphrase')}
        hint={isClientEncrypted ? t.text('endToEnd.passphraseHint') : undefined}
        type="password"
        {...NOT_SAVED}
        required={!isClientEncrypted}
        errors={error === undefined ? undefined : { passphrase: [error] }}
      />
    </div>
  );
}
