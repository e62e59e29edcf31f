import type { Passkey } from '../../auth/entities/passkey.entity.js';
import { MAX_PASSKEY_NAME } from '../../auth/entities/passkey.entity.js';
import { neededCredentials } from '../../auth/second-factor/reauthentication.service.js';
import type { FactorsOfAccount } from '../../auth/second-factor/second-factors.service.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { FieldErrors } from '../components/fields.js';
import {
  FormErrors,
  Input,
  isFirstError,
  ReauthenticationFields,
  withoutFields,
} from '../components/fields.js';
import { FoldedForm } from '../components/folded-form.js';
import { Layout } from '../components/layout.js';
import { PasskeyButton } from '../components/passkey-button.js';
import { QrCode } from '../components/qr.js';
import { FlashMessage, Form, Link, useSite, useTexts, Data, UNTRANSLATED } from '../components/site.js';
import { TextWithTime } from '../components/words.js';

/** A secret that an app is about to be given. */
export interface Setup {
  secret: string;
  uri: string;
  /** The secret as the form has it. */
  state: string;
}

export interface SecondFactorProps {
  factors: FactorsOfAccount;
  passkeys: Passkey[];
  /** Whether the account must have one before it may do anything else. */
  isRequired: boolean;
  setup?: Setup;
  flash?: TextKey;
  /** The form that was rejected; of a passkey to be removed, its id. */
  form?: string;
  errors?: FieldErrors;
  /** The name that was typed for a new passkey. */
  passkeyName?: string;
}

export function SecondFactor({
  factors,
  passkeys,
  isRequired,
  setup,
  flash,
  form,
  errors,
  passkeyName,
}: SecondFactorProps) {
  const t = useTexts();
  const { authenticator, recoveryCodes } = factors;
  const count = passkeys.length + (authenticator ? 1 : 0);
  const isMissing = isRequired && count === 0;
  const removeText = count > 1 ? 'secondFactor.removeText' : removeLastText(isRequired);
  const errorsOf = (which: string) => (which === form ? errors : undefined);
  return (
    <Layout title={t.text('secondFactor.title')} script="account">
      <h1>{t.text('secondFactor.title')}</h1>
      <p class="lede">{t.text(isMissing ? 'secondFactor.required' : 'secondFactor.intro')}</p>
      <FlashMessage text={flash} />
      <Passkeys passkeys={passkeys} removeText={removeText} newName={passkeyName} errorsOf={errorsOf} />
      {setup && <AddAuthenticator setup={setup} isFolded={passkeys.length > 0} errors={errorsOf('add')} />}
      {authenticator && (
        <section class="card actions-on">
          <h2>{t.text('secondFactor.app')}</h2>
          <p>
            <TextWithTime of="secondFactor.appSince" at={authenticator.createdAt} />
          </p>
          <FormErrors errors={withoutFields(errorsOf('add'))} />
          <FoldedForm
            to="/users/second_factor/authenticator/remove"
            heading="secondFactor.remove"
            text={removeText}
            submit="secondFactor.removeSubmit"
            isDangerous
            errors={errorsOf('remove')}
          >
            <ReauthenticationFields id="remove" errors={errorsOf('remove')} />
          </FoldedForm>
        </section>
      )}
      {count > 0 && (
        <section class="card actions-on">
          <h2>{t.text('secondFactor.codes')}</h2>
          <p>{t.text('secondFactor.codesLeft', { count: recoveryCodes })}</p>
          <FoldedForm
            to="/users/second_factor/recovery_codes"
            heading="secondFactor.newCodes"
            text="secondFactor.newCodesText"
            submit="secondFactor.newCodesSubmit"
            isSentOnce
            errors={errorsOf('codes')}
          >
            <ReauthenticationFields id="codes" errors={errorsOf('codes')} />
          </FoldedForm>
        </section>
      )}
      {!isMissing && (
        <p class="actions">
          <Link to="/users/edit">{t.text('secondFactor.back')}</Link>
        </p>
      )}
    </Layout>
  );
}

function removeLastText(isRequired: boolean): TextKey {
  return isRequired ? 'secondFactor.removeRequired' : 'secondFactor.removeLast';
}

/** Passkeys need a script. */
function Passkeys({
  passkeys,
  removeText,
  newName,
  errorsOf,
}: {
  passkeys: Passkey[];
  removeText: TextKey;
  newName?: string;
  errorsOf: (form: string) => FieldErrors | undefined;
}) {
  const { passkeyOrigin } = useSite();
  const t = useTexts();
  return (
    <section class="card actions-on">
      <h2>{t.text('passkeys.title')}</h2>
      <p>{t.text('passkeys.text')}</p>
      {passkeyOrigin !== undefined && (
        <noscript>
          <p>{t.text('passkeys.needScript')}</p>
        </noscript>
      )}
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <details key={id} class="delete" open={errorsOf(id) ? true : undefined}>
          <summary>{name ? <Data>{name}</Data> : t.text('passkeys.unnamed')}</summary>
          <p>
            <TextWithTime of="passkeys.since" at={createdAt} />{' '}
            {lastUsedAt && <TextWithTime of="passkeys.lastUsed" at={lastUsedAt} />}
          </p>
          <p>{t.text(removeText)}</p>
          <FormErrors errors={errorsOf(id)} />
          <Form to={`/users/second_factor/passkeys/${id}/remove`}>
            <ReauthenticationFields id={id} errors={errorsOf(id)} />
            <button class="danger">{t.text('passkeys.remove')}</button>
          </Form>
        </details>
      ))}
      <FormErrors errors={errorsOf('passkey')} />
      <AddPasskey name={newName} errors={errorsOf('passkey')} />
    </section>
  );
}

/** The reauthentication comes before, because one form cannot have the answers of two passkeys. */
function AddPasskey({ name, errors }: { name?: string; errors?: FieldErrors }) {
  const { reauthentication, passkeyOrigin } = useSite();
  const t = useTexts();
  if (passkeyOrigin === undefined) return <p>{t.text('passkeys.atAddress')}</p>;
  if (reauthentication?.isProven === false)
    return (
      <Form to="/users/second_factor/proof">
        <p>{t.text('passkeys.confirmFirst')}</p>
        <ReauthenticationFields id="passkey" errors={errors} />
        {!neededCredentials(reauthentication, false).signInAtProvider && (
          <button class="secondary">{t.text('passkeys.confirm')}</button>
        )}
      </Form>
    );
  return (
    <Form to="/users/second_factor/passkeys">
      <Input
        name="name"
        value={name}
        label={t.text('passkeys.name')}
        hint={t.text('passkeys.nameHint')}
        autocomplete="off"
        maxLength={MAX_PASSKEY_NAME}
        errors={errors}
      />
      <PasskeyButton from="/users/second_factor/passkey/new" label={t.text('passkeys.add')} isNew isPrimary />
    </Form>
  );
}

interface AddAuthenticatorProps {
  setup: Setup;
  /** Whether it is one of several ways, and seldom needed. */
  isFolded: boolean;
  errors?: FieldErrors;
}

function AddAuthenticator({ setup, isFolded, errors }: AddAuthenticatorProps) {
  const t = useTexts();
  const { email } = useSite();
  const form = (
    <>
      <p>{t.text('secondFactor.scan')}</p>
      <p>
        <QrCode text={setup.uri} label={t.text('secondFactor.qrCode')} />
      </p>
      <details>
        <summary>{t.text('secondFactor.typeInstead')}</summary>
        <p>
          <code {...UNTRANSLATED}>{setup.secret.replaceAll(/.{4}(?!$)/g, '$& ')}</code>
        </p>
      </details>
      <FormErrors errors={errors} />
      <Form to="/users/second_factor/authenticator" data-once>
        <input type="hidden" name="state" value={setup.state} />
        <input type="hidden" autocomplete="username" value={email} />
        <Input
          name="new_code"
          label={t.text('secondFactor.newCode')}
          autocomplete="one-time-code"
          inputmode="numeric"
          required
          errors={errors}
          autofocus={isFirstError(errors, 'new_code')}
        />
        <ReauthenticationFields id="add" errors={errors} />
        <button>{t.text('secondFactor.addSubmit')}</button>
      </Form>
    </>
  );
  return (
    <section class="card actions-on">
      <h2>{t.text('secondFactor.app')}</h2>
      {isFolded ? (
        <details class="delete" open={errors ? true : undefined}>
          <summary>{t.text('secondFactor.addApp')}</summary>
          {form}
        </details>
      ) : (
        form
      )}
    </section>
  );
}

/** Codes that have just been made, and are not shown again. */
export function RecoveryCodes({ codes, flash }: { codes: string[]; flash?: TextKey }) {
  const t = useTexts();
  return (
    <Layout title={t.text('secondFactor.codesTitle')}>
      <h1>{t.text('secondFactor.codesTitle')}</h1>
      <p class="lede">{t.text('secondFactor.codesText')}</p>
      <FlashMessage text={flash} />
      <section class="card alert">
        <div class="copyable">
          <label for="codes">{t.text('secondFactor.codes')}</label>
          <textarea
            id="codes"
            rows={codes.length}
            readOnly
            autocomplete="off"
            spellcheck={false}
            {...UNTRANSLATED}
          >
            {codes.join('\n')}
          </textarea>
          <button type="button" hidden data-copy="codes">
            {t.text('copy.button')}
          </button>
        </div>
      </section>
      <p class="actions">
        <Link to="/users/second_factor">{t.text('secondFactor.codesKept')}</Link>
      </p>
    </Layout>
  );
}
