import type { Passkey } from '../../auth/entities/passkey.entity.js';
import { MAX_PASSKEY_NAME } from '../../auth/entities/passkey.entity.js';
import { neededCredentials } from '../../auth/second-factor/reauthentication.service.js';
import type { FactorsOfAccount } from '../../auth/second-factor/second-factors.service.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Button, LinkButton, SummaryButton } from '../components/button.js';
import { Card, Section, SectionRow, SectionRows } from '../components/card.js';
import { CodesToKeep } from '../components/codes.js';
import { useForm } from '../components/filled-form.js';
import { FormErrors, Input, ReauthenticationFields, withoutFields } from '../components/fields.js';
import { Banner } from '../components/banner.js';
import { BackLink, Heading } from '../components/heading.js';
import { Layout, NarrowPage } from '../components/layout.js';
import { PasskeyButton } from '../components/passkey-button.js';
import { QrCode } from '../components/qr.js';
import { FlashMessage, Form, useSite, useTexts, Data } from '../components/site.js';
import { CopyField } from '../components/copy.js';
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
const REMOVE_APP = `${ADD_APP}/remove`;
const RENEW_CODES = '/users/second_factor/recovery_codes';

export function SecondFactor(props: SecondFactorProps) {
  const { factors, passkeys, isRequired, setup, flash } = props;
  const t = useTexts();
  const { authenticator, recoveryCodes } = factors;
  const count = passkeys.length + (authenticator ? 1 : 0);
  const isMissing = isRequired && count === 0;
  const removeText = count > 1 ? 'secondFactor.removeText' : removeLastText(isRequired);
  const { errors } = useForm(ADD_APP);
  return (
    <Layout title={t.text('secondFactor.title')} within="/users/edit" script="account">
      {!isMissing && <BackLink to="/users/edit" text="secondFactor.back" />}
      <Heading
        title={t.text('secondFactor.title')}
        lede={t.text(isMissing ? 'secondFactor.required' : 'secondFactor.intro')}
      />
      <FlashMessage text={flash} />
      <Passkeys passkeys={passkeys} removeText={removeText} flash={flash} />
      <Section title="secondFactor.app" isTitleHidden={authenticator !== undefined}>
        <FormErrors of={ADD_APP} errors={authenticator && withoutFields(errors)} />
        <SectionRows>
          {setup && <AddAuthenticator setup={setup} isOpen={isMissing} />}
          {authenticator && (
            <SectionRow
              icon="phone"
              title={t.text('secondFactor.app')}
              state={<TextWithTime of="secondFactor.appSince" at={authenticator.createdAt} format="short" />}
              open={t.text('row.remove')}
              isOpen={useForm(REMOVE_APP).errors !== undefined}
              isDangerous
            >
              <RowForm
                to={REMOVE_APP}
                id="remove"
                text={removeText}
                submit="secondFactor.remove"
                isDangerous
              />
            </SectionRow>
          )}
        </SectionRows>
      </Section>
      {count > 0 && (
        <Section title="secondFactor.codes" isTitleHidden>
          <SectionRows>
            <SectionRow
              icon="key"
              title={t.text('secondFactor.codes')}
              state={t.text('secondFactor.codesLeft', { count: recoveryCodes })}
              open={t.text('row.replace')}
              isOpen={useForm(RENEW_CODES).errors !== undefined}
            >
              <RowForm
                to={RENEW_CODES}
                id="codes"
                text="secondFactor.newCodesText"
                submit="secondFactor.newCodesSubmit"
                isSentOnce
              />
            </SectionRow>
          </SectionRows>
        </Section>
      )}
    </Layout>
  );
}

function removeLastText(isRequired: boolean): TextKey {
  return isRequired ? 'secondFactor.removeRequired' : 'secondFactor.removeLast';
}

interface RowFormProps {
  to: string;
  /** Of its fields. */
  id: string;
  /** What it does. */
  text: TextKey;
  submit: TextKey;
  isDangerous?: boolean;
  /** See `sendOnce` in client/account.ts. */
  isSentOnce?: boolean;
}

/** A form that asks only who it is. */
function RowForm({ to, id, text, submit, isDangerous, isSentOnce }: RowFormProps) {
  const t = useTexts();
  return (
    <>
      <p>{t.text(text)}</p>
      <FormErrors of={to} />
      <Form to={to} data-once={isSentOnce}>
        <ReauthenticationFields id={id} />
        <p class="gap-sm">
          <Button look={isDangerous ? 'danger' : 'secondary'}>{t.text(submit)}</Button>
        </p>
      </Form>
    </>
  );
}

type PasskeysProps = Pick<SecondFactorProps, 'passkeys' | 'flash'> & { removeText: TextKey };

/** Passkeys need a script. */
function Passkeys({ passkeys, removeText, flash }: PasskeysProps) {
  const { passkeyOrigin } = useSite();
  const t = useTexts();
  const isBegun = flash === 'passkeys.confirmed' || useForm(ADD_PASSKEY, PROOF).errors !== undefined;
  return (
    <Section id="passkeys" title="passkeys.title" lede={t.text('passkeys.text')}>
      <FormErrors of={[ADD_PASSKEY, PROOF]} />
      {passkeyOrigin === undefined && <Banner>{t.text('passkeys.atAddress')}</Banner>}
      {(passkeyOrigin !== undefined || passkeys.length > 0) && (
        <SectionRows>
          {passkeys.map((passkey) => (
            <OwnPasskey key={passkey.id} passkey={passkey} removeText={removeText} />
          ))}
          {passkeyOrigin !== undefined && (
            <SectionRow icon="plus" title={t.text('passkeys.add')} open={t.text('row.add')} isOpen={isBegun}>
              <noscript>
                <p>{t.text('passkeys.needScript')}</p>
              </noscript>
              <AddPasskey />
            </SectionRow>
          )}
        </SectionRows>
      )}
    </Section>
  );
}

function OwnPasskey({ passkey, removeText }: { passkey: Passkey; removeText: TextKey }) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  const t = useTexts();
  const remove = `${ADD_PASSKEY}/${id}/remove`;
  return (
    <SectionRow
      icon="passkey"
      title={name ? <Data>{name}</Data> : t.text('passkeys.unnamed')}
      state={
        <>
          <TextWithTime of="passkeys.since" at={createdAt} format="short" />{' '}
          {lastUsedAt && <TextWithTime of="passkeys.lastUsed" at={lastUsedAt} format="short" />}
        </>
      }
      open={t.text('row.remove')}
      isOpen={useForm(remove).errors !== undefined}
      isDangerous
    >
      <RowForm to={remove} id={id} text={removeText} submit="passkeys.remove" isDangerous />
    </SectionRow>
  );
}

/** The reauthentication comes before, because one form cannot have the answers of two passkeys. */
function AddPasskey() {
  const { reauthentication } = useSite();
  const t = useTexts();
  if (reauthentication?.isProven === false)
    return (
      <Form to={PROOF} inPlaceOf={ADD_PASSKEY}>
        <p>{t.text('passkeys.confirmFirst')}</p>
        <ReauthenticationFields id="passkey" />
        {!neededCredentials(reauthentication, false).signInAtProvider && (
          <p class="gap-sm">
            <Button>{t.text('passkeys.confirm')}</Button>
          </p>
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
  /** Whether it is to be done before anything else. */
  isOpen: boolean;
}

function AddAuthenticator({ setup, isOpen }: AddAuthenticatorProps) {
  const t = useTexts();
  const { email } = useSite();
  return (
    <SectionRow
      icon="phone"
      title={t.text('secondFactor.addApp')}
      state={t.text('secondFactor.addAppText')}
      open={t.text('row.setUp')}
      isOpen={isOpen || useForm(ADD_APP).errors !== undefined}
    >
      <div class="stack">
        <p>{t.text('secondFactor.scan')}</p>
        <QrCode text={setup.uri} label={t.text('secondFactor.qrCode')} />
        <details>
          <SummaryButton look="quiet" size="small">
            {t.text('secondFactor.typeInstead')}
          </SummaryButton>
          <div class="stack">
            <CopyField id="app-key" label={t.text('secondFactor.key')} value={setup.secret} />
            <p>
              <a href={setup.uri}>{t.text('secondFactor.openApp')}</a>
            </p>
          </div>
        </details>
        <Form to={ADD_APP} data-once>
          <input type="hidden" name="state" value={setup.state} />
          <input type="hidden" autocomplete="username" value={email} />
          <Input
            name="new_code"
            label={t.text('secondFactor.newCode')}
            autocomplete="one-time-code"
            inputmode="numeric"
            isShortCode
            required
            focusesOnError
          />
          <ReauthenticationFields id="add" />
          <p class="gap-top">
            <Button look="primary">{t.text('secondFactor.addSubmit')}</Button>
          </p>
        </Form>
      </div>
    </SectionRow>
  );
}

/** Codes that have just been made, and are not shown again. */
export function RecoveryCodes({ codes, flash }: { codes: string[]; flash?: TextKey }) {
  const t = useTexts();
  return (
    <NarrowPage
      title={t.text('secondFactor.codesTitle')}
      lede={t.text('secondFactor.codesText')}
      script="account"
    >
      <FlashMessage text={flash} />
      <Card label="secondFactor.codes">
        <CodesToKeep
          id="codes"
          label={t.text('secondFactor.codes')}
          codes={codes}
          fileName="recovery-codes.txt"
        />
        <p class="gap-top">
          <LinkButton look="primary" size="large" isWide to="/users/second_factor">
            {t.text('secondFactor.codesKept')}
          </LinkButton>
        </p>
      </Card>
    </NarrowPage>
  );
}
