import type { EndToEnd } from '../../platform/settings/settings.js';
import { Banner } from '../components/banner.js';
import { Button } from '../components/button.js';
import { ActionBar } from '../components/choices.js';
import type { FormFields } from '../components/filled-form.js';
import { useForm } from '../components/filled-form.js';
import { Choice, FormErrors, Hint } from '../components/fields.js';
import { Heading, HeadingLink } from '../components/heading.js';
import { GeneratorOptions } from '../components/generator.js';
import type { IconName } from '../components/icon.js';
import { Layout } from '../components/layout.js';
import { Progress } from '../components/progress.js';
import { OnlyWide, Sheet, SheetBody, WhoReads, WhoReadsFact } from '../components/sheet.js';
import { Sentence, useMenu, useSite, useTexts } from '../components/site.js';
import type { Resend } from './resend.js';
import { Advice } from './resend.js';
import type { OptionsProps } from './options.js';
import { Options } from './options.js';
import { Files, Kinds, Secret } from './kinds.js';
import { Limits } from './limits.js';

interface HomeProps extends OptionsProps {
  /** Whether this visitor may attach files only after signing in. */
  filesNeedSignIn: boolean;
  /** The path of the form with its options. */
  form: string;
  /** Hidden fields. */
  hiddenFields: FormFields;
  /** When the form can be sent again as it is. */
  resend?: Resend;
}

/** Those in the rows of files, of chips whose field is wrong, and of what is said above the form. */
export const ICONS_OF_SCRIPTS: readonly IconName[] = ['file', 'x', 'check', 'info'];

export function Home(props: HomeProps) {
  const { filesNeedSignIn, form, hiddenFields, resend, ...options } = props;
  const { rules, endToEnd } = options;
  const t = useTexts();
  const { errors } = useForm();
  return (
    <Layout title={t.text('home.title')} script="home" icons={ICONS_OF_SCRIPTS}>
      <Heading title={t.text('home.title')}>
        {useMenu('home').map(({ to, text, icon }) => (
          <HeadingLink key={to} to={to} icon={icon} text={text} />
        ))}
      </Heading>
      <FormErrors>
        <Advice resend={resend} form={form} />
      </FormErrors>
      {endToEnd === 'required' && <EncryptionUnavailable />}
      <Sheet
        to="/"
        under="push"
        encType="multipart/form-data"
        id="make"
        noValidate
        data-returned={errors ? '' : undefined}
        data-until-ready
      >
        <SheetBody>
          <HiddenFields fields={hiddenFields} />
          <Kinds rules={rules} />
          <Secret />
          <Limits rules={rules} />
          <Options {...options} />
          <GeneratorOptions />
          {rules.files.isEnabled && <Files rules={rules.files} needSignIn={filesNeedSignIn} form={form} />}
        </SheetBody>
        <ActionBar>
          <Encryption mode={endToEnd} />
          <Button look="primary" disabled={endToEnd === 'required'} data-submit>
            {t.text('home.submit')}
          </Button>
          <Progress label={t.text('home.sending')} id="progress" />
          {rules.files.isEnabled && filesNeedSignIn && <SignInFirst />}
        </ActionBar>
      </Sheet>
    </Layout>
  );
}

/**
 * Signing in without a script, which leaves the page. Placed after the button that submits the form, because the Enter
 * key presses the first button.
 */
function SignInFirst() {
  const { base } = useSite();
  const t = useTexts();
  return (
    <noscript>
      <Button formAction={`${base}/users/sign_in_first`}>{t.text('home.signInFirst')}</Button>
      <Hint>{t.text('home.signInFirstHint')}</Hint>
    </noscript>
  );
}

/** Who encrypts the secret: the browser needs a script for it, which shows this. */
function Encryption({ mode }: { mode: EndToEnd }) {
  const inBrowser = <Sentence of="endToEnd.inBrowser" more={(words) => <OnlyWide>{words}</OnlyWide>} />;
  const onServer = <Sentence of="endToEnd.onServer" more={(words) => <OnlyWide>{words}</OnlyWide>} />;
  if (mode === 'off') return <WhoReadsFact>{onServer}</WhoReadsFact>;
  if (mode === 'required') return <WhoReadsFact mode={mode}>{inBrowser}</WhoReadsFact>;
  return (
    <>
      <noscript>
        <WhoReadsFact>{onServer}</WhoReadsFact>
      </noscript>
      <WhoReads
        mode={mode}
        legend="endToEnd.choice"
        summary={
          <>
            <span data-when-encrypting>{inBrowser}</span>
            <span data-unless-encrypting>{onServer}</span>
          </>
        }
      >
        <Encrypted by="browser" isChosen={mode === 'default'} of="endToEnd.byBrowser" />
        <Encrypted by="server" isChosen={mode === 'offered'} of="endToEnd.byServer" />
      </WhoReads>
    </>
  );
}

interface EncryptedProps {
  by: 'browser' | 'own' | 'server';
  isChosen: boolean;
  of:
    | 'endToEnd.byBrowser'
    | 'endToEnd.byServer'
    | 'request.byBrowser'
    | 'request.byOwnKey'
    | 'request.byServer';
}

/** A choice of who encrypts. */
export function Encrypted({ by, isChosen, of }: EncryptedProps) {
  return (
    <Choice type="radio" name="encryption" value={by} checked={isChosen}>
      <Sentence of={of} b={(content) => <strong>{content}</strong>} />
    </Choice>
  );
}

/** Why the form cannot be used where the browser has to encrypt and is not able to. */
function EncryptionUnavailable() {
  const t = useTexts();
  return (
    <>
      <noscript>
        <Banner kind="failure">{t.text('endToEnd.needsScript')}</Banner>
      </noscript>
      <Banner kind="failure" hidden data-encryption-unavailable>
        {t.text('endToEnd.needsHttps')}
      </Banner>
    </>
  );
}

/** The hidden fields of the form: what it was shown with, and what it keeps for a visitor who signs in again. */
function HiddenFields({ fields }: { fields: FormFields }) {
  const { email } = useSite();
  const { typed } = useForm();
  const { account_before, name, note } = typed;
  const notify_on = account_before && typed.notify_on; // the choice of an account, which nobody else may send
  const ofOwner = email === undefined && { name, note, notify_on };
  const kept = { ...fields, account_before, ...ofOwner };
  return (
    <>
      {Object.entries(kept).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={`push[${name}]`} value={value} />,
      )}
    </>
  );
}
