import type { Passkey } from '../../auth/entities/passkey.entity.js';
import { MAX_PASSKEY_NAME } from '../../auth/entities/passkey.entity.js';
import { neededCredentials } from '../../auth/second-factor/reauthentication.service.js';
import type { FactorsOfAccount } from '../../auth/second-factor/second-factors.service.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { useForm } from '../components/filled-form.js';
import { FormErrors, Input, ReauthenticationFields, withoutFields } from '../components/fields.js';
import { FoldedForm } from '../components/folded-form.js';
import { Layout } from '../components/layout.js';
import { PasskeyButton } from '../components/passkey-button.js';
import { QrCode } from '../components/qr.js';
import { FlashMessage, Form, useSite, useTexts, Data, UNTRANSLATED, LinkLine } from '../components/site.js';
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
}

/** The paths of forms. */
const ADD_APP = '/users/second_factor/authenticator';
const ADD_PASSKEY = '/users/second_factor/passkeys';
const PROOF = '/users/second_factor/proof';

export function SecondFactor({ factors, passkeys, isRequired, setup, flash }: SecondFactorProps) {
  const t = useTexts();
  const { authenticator, recoveryCodes } = factors;
  const count = passkeys.length + (authenticator ? 1 : 0);
  const isMissing = isRequired && count === 0;
  const removeText = count > 1 ? 'secondFactor.removeText' : removeLastText(isRequired);
  const { errors } = useForm(ADD_APP);
  return (
    <Layout title={t.text('secondFactor.title')} script="account">
      <h1>{t.text('secondFactor.title')}</h1>
      <p class="lede">{t.text(isMissing ? 'secondFactor.required' : 'secondFactor.intro')}</p>
      <FlashMessage text={flash} />
      <Passkeys passkeys={passkeys} removeText={removeText} />
      {setup && <AddAuthenticator setup={setup} isFolded={passkeys.length > 0} />}
      {authenticator && (
        <section class="card actions-on">
          <h2>{t.text('secondFactor.app')}</h2>
          <p>
            <TextWithTime of="secondFactor.appSince" at={authenticator.createdAt} />
          </p>
          <FormErrors of={ADD_APP} errors={withoutFields(errors)} />
          <FoldedForm
            to={`${ADD_APP}/remove`}
            heading="secondFactor.remove"
            text={removeText}
            submit="secondFactor.removeSubmit"
            isDangerous
          >
            <ReauthenticationFields id="remove" />
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
          >
            <ReauthenticationFields id="codes" />
          </FoldedForm>
        </section>
      )}
      {!isMissing && <LinkLine to="/users/edit" text="secondFactor.back" />}
    </Layout>
  );
}

function removeLastText(isRequired: boolean): TextKey {
  return isRequired ? 'secondFactor.removeRequired' : 'secondFactor.removeLast';
}

/** Passkeys need a script. */
function Passkeys({ passkeys, removeText }: { passkeys: Passkey[]; removeText: TextKey }) {
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
      {passkeys.map((passkey) => (
        <OwnPasskey key={passkey.id} passkey={passkey} removeText={removeText} />
      ))}
      <FormErrors of={[ADD_PASSKEY, PROOF]} />
      <AddPasskey />
    </section>
  );
}

function OwnPasskey({ passkey, removeText }: { passkey: Passkey; removeText: TextKey }) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  const t = useTexts();
  const remove = `${ADD_PASSKEY}/${id}/remove`;
  return (
    <details class="delete" open={useForm(remove).errors ? true : undefined}>
      <summary>{name ? <Data>{name}</Data> : t.text('passkeys.unnamed')}</summary>
      <p>
        <TextWithTime of="passkeys.since" at={createdAt} />{' '}
        {lastUsedAt && <TextWithTime of="passkeys.lastUsed" at={lastUsedAt} />}
      </p>
      <p>{t.text(removeText)}</p>
      <FormErrors of={remove} />
      <Form to={remove}>
        <ReauthenticationFields id={id} />
        <button class="danger">{t.text('passkeys.remove')}</button>
      </Form>
    </details>
  );
}

/** The reauthentication comes before, because one form cannot have the answers of two passkeys. */
function AddPasskey() {
  const { reauthentication, passkeyOrigin } = useSite();
  const t = useTexts();
  if (passkeyOrigin === undefined) return <p>{t.text('passkeys.atAddress')}</p>;
  if (reauthentication?.isProven === false)
    return (
      <Form to={PROOF} inPlaceOf={ADD_PASSKEY}>
        <p>{t.text('passkeys.confirmFirst')}</p>
        <ReauthenticationFields id="passkey" />
        {!neededCredentials(reauthentication, false).signInAtProvider && (
          <button class="secondary">{t.text('passkeys.confirm')}</button>
        )}
      </Form>
    );
  return (
    <Form to={ADD_PASSKEY}>
      <Input
        name="name"
        value={useForm(ADD_PASSKEY).typed.name}
        label={t.text('passkeys.name')}
        hint={t.text('passkeys.nameHint')}
        autocomplete="off"
        maxLength={MAX_PASSKEY_NAME}
      />
      <PasskeyButton from="/users/second_factor/passkey/new" label={t.text('passkeys.add')} isNew isPrimary />
    </Form>
  );
}

interface AddAuthenticatorProps {
  setup: Setup;
  /** Whether it is one of several ways, and seldom needed. */
  isFolded: boolean;
}

function AddAuthenticator({ setup, isFolded }: AddAuthenticatorProps) {
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
      <FormErrors of={ADD_APP} />
      <Form to={ADD_APP} data-once>
        <input type="hidden" name="state" value={setup.state} />
        <input type="hidden" autocomplete="username" value={email} />
        <Input
          name="new_code"
          label={t.text('secondFactor.newCode')}
          autocomplete="one-time-code"
          inputmode="numeric"
          required
          focusesOnError
        />
        <ReauthenticationFields id="add" />
        <button>{t.text('secondFactor.addSubmit')}</button>
      </Form>
    </>
  );
  return (
    <section class="card actions-on">
      <h2>{t.text('secondFactor.app')}</h2>
      {isFolded ? (
        <details class="delete" open={useForm(ADD_APP).errors ? true : undefined}>
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
      <LinkLine to="/users/second_factor" text="secondFactor.codesKept" />
    </Layout>
  );
}
