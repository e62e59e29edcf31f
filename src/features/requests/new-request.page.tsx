import { Body, Get, Req } from '@nestjs/common';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import type { Request } from 'express';
import { EnabledBy, SignedInPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { emailToName } from '../../auth/entities/emails.js';
import { SecretRequestRules } from './secret-request-rules.js';
import { SecretRequestsService } from './requests.service.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import type { EndToEnd } from '../../platform/settings/settings.js';
import { Settings } from '../../platform/settings/settings.js';
import { SecretRequestSettings } from './requests.settings.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import type { CreationPolicy } from '../../pushes/create/creation-policy.js';
import { CreationPolicies } from '../../pushes/create/creation-policy.js';
import { DURATION_SCALE } from '../../pushes/create/create-push.dto.js';
import { MIB } from '../../platform/settings/units.js';
import { useForm, withForm } from '../../web/components/filled-form.js';
import { Checkbox, FormErrors, Input, Select, TextArea } from '../../web/components/fields.js';
import { Layout } from '../../web/components/layout.js';
import { Form, Link, useSite, useTexts } from '../../web/components/site.js';
import type { FormFields } from '../../web/components/filled-form.js';
import { FormLimit, PostForm } from '../../web/forms/form.js';
import { MayNotCreate } from '../../web/components/message.js';
import {
  assertPassphraseKept,
  undoLineBreaks,
  undoUnticked,
  withMissing,
} from '../../web/sender/form-fields.js';
import { lifetimeInWords } from '../../web/sender/form-options.js';
import { Encrypted } from '../../web/sender/home.js';
import { Terms } from '../../web/sender/limits.js';
import { InMenu } from '../../web/pages/menus.js';
import { PageController, PageResponse, SeeOther } from '../../web/pages/page-controller.js';
import { CurrentUser, PageLanguage } from '../../web/pages/parameters.js';
import type { Language } from '../../texts/languages.js';
import type { Translator } from '../../texts/translator.js';

/** The page where an account asks for a secret. */
@PageController()
@EnabledBy(SecretRequestSettings, 'ENABLE_REQUESTS')
export class NewRequestController {
  constructor(
    private readonly settings: Settings,
    private readonly rules: SecretRequestRules,
    private readonly requests: SecretRequestsService,
    private readonly policies: CreationPolicies,
  ) {}

  @Get('requests/new')
  @InMenu({ home: { text: 'request.new', position: 10 } })
  @SignedInPage()
  async show(@Req() request: Request): Promise<PageResponse> {
    const policy = await this.policies.of(request);
    const { refusal } = policy;
    if (refusal instanceof Problem) return new PageResponse(<MayNotCreate problem={refusal} />, 403);
    return new PageResponse(this.view(request, policy));
  }

  @PostForm('requests', {
    again: async (page: NewRequestController, { request, typed, errors }) =>
      withForm(
        { typed, errors: withMissing(errors, { passphrase: typed.passphrase }) },
        page.view(request, await page.policies.of(request)),
      ),
  })
  @SignedInPage()
  @FormLimit(MIB)
  async create(
    @Body() form: FormFields,
    @CurrentUser() user: User,
    @CurrentVisitor() visitor: Visitor,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<SeeOther> {
    const policy = await this.policies.of(request);
    policy.assertMayCreate();
    assertComplete(form, policy);
    const asked = this.rules.validated(fieldsOf(form, language), user, policy, 'pages');
    const { url_token: urlToken } = await this.requests.create(asked, visitor, { isFromPage: true });
    return new SeeOther(`/requests/${urlToken}`);
  }

  private view({ user }: Request, policy: CreationPolicy) {
    const { END_TO_END, ENABLE_FILE_PUSHES: mayHaveFiles } = this.settings;
    const isEncryptionRequired = policy.requires('encryption', 'pages');
    const endToEnd = isEncryptionRequired ? 'required' : END_TO_END;
    const sender = user && emailToName(user);
    return <NewSecretRequest endToEnd={endToEnd} mayHaveFiles={mayHaveFiles} sender={sender} />;
  }
}

/** A form that lost its passphrase, or the recipient that it was to have, must not be taken without it. */
function assertComplete(form: FormFields, policy: CreationPolicy): void {
  assertPassphraseKept(form);
  const { encryption, recipient } = form;
  if (recipient) return;
  if (encryption === 'own') throw new InvalidFields({ recipient: new Problem('recipient_not_age') });
  if (encryption === 'browser' || policy.requires('encryption', 'pages'))
    throw new InvalidFields({ base: new Problem('not_encrypted_in_browser') });
}

const CHECKBOXES = ['response_file_attachments', 'include_requestor'];

/** The fields as the API names them: a box that is not ticked is not sent. */
function fieldsOf(
  { notify, passphrase_was_set: _, encryption: __, ...form }: FormFields,
  language: Language,
): PushFields {
  const fields: PushFields = {
    ...form,
    ...(notify === undefined && { notify_on: [] }),
    notify_emails_to_locale: form.notify_emails_to ? language : undefined,
  };
  undoLineBreaks(fields);
  undoUnticked(fields, CHECKBOXES);
  return fields;
}

interface NewRequestProps {
  endToEnd: EndToEnd;
  mayHaveFiles: boolean;
  /** The email address of the account, if the request may name it. */
  sender?: string;
}

/** Fields of which an error, or a value, opens the options. */
const OPTIONS = ['passphrase', 'name', 'note', 'notify_emails_to', 'expire_after_days'];

function NewSecretRequest({ endToEnd, mayHaveFiles, sender }: NewRequestProps) {
  const t = useTexts();
  const { typed, errors } = useForm();
  const isFirst = errors === undefined;
  return (
    <Layout title={t.text('request.new')} script="new-request">
      <div class="heading">
        <h1>{t.text('request.new')}</h1>
        <Link to="/">{t.text('home.title')}</Link>
      </div>
      <FormErrors />
      <Form to="/requests" class="card" id="ask" noValidate data-returned={isFirst ? undefined : ''}>
        <TextArea
          name="request"
          label={t.text('request.what')}
          hint={t.text('request.whatHint')}
          rows={3}
          maxLength={10_000}
          required
          autofocus={isFirst}
          value={typed.request}
        />
        <RequestTerms />
        <details
          class="fold"
          data-fold="request"
          open={OPTIONS.some((name) => errors?.[name] !== undefined || typed[name])}
        >
          <summary>
            {t.text('home.options')} <span class="quiet">{t.text('request.optionsHint')}</span>
          </summary>
          <Options mayHaveFiles={mayHaveFiles} sender={sender} />
        </details>
        <button
          class="wide"
          disabled={endToEnd === 'required'}
          data-until-script={endToEnd === 'required' ? '' : undefined}
        >
          {t.text('request.create')}
        </button>
        <Encryption endToEnd={endToEnd} />
        {endToEnd === 'required' && (
          <noscript>
            <p class="alert bad">{t.text('endToEnd.needsScript')}</p>
          </noscript>
        )}
      </Form>
    </Layout>
  );
}

/** How many answers, and until when: in words, and behind them the choices. */
function RequestTerms() {
  const t = useTexts();
  const { typed } = useForm();
  return (
    <Terms fold="request-terms" fields={['answers', 'close_after_duration']} inWords={termsInWords(typed, t)}>
      <Input
        name="answers"
        label={t.text('request.answers')}
        hint={t.text('home.bounds', { min: 1, max: 100 })}
        type="number"
        min={1}
        max={100}
        value={typed.answers ?? '1'}
      />
      <Select
        name="close_after_duration"
        label={t.text('request.openFor')}
        options={DURATION_SCALE.map(({ lifetime }, step) => ({
          value: String(step),
          label: lifetimeInWords(lifetime, t),
          isSelected: step === Number(typed.close_after_duration ?? DEFAULT_STEP),
        }))}
      />
    </Terms>
  );
}

/** The same words as those of the script that says them anew with each choice. */
function termsInWords({ answers = '1', close_after_duration: step }: FormFields, t: Translator): string {
  const { lifetime = 0 } = DURATION_SCALE[Number(step ?? DEFAULT_STEP)] ?? {};
  const time = lifetimeInWords(lifetime, t);
  if (!/^\d{1,3}$/.test(answers)) return t.text('request.answers'); // of any length
  return t.text('script.requestTerms', { answers: Number(answers), time });
}

/** 7 days. */
const DEFAULT_STEP = 12;

function Options({ mayHaveFiles, sender }: Omit<NewRequestProps, 'endToEnd'>) {
  const t = useTexts();
  const { typed, errors } = useForm();
  const { mayAskForMails } = useSite();
  const isReturned = errors !== undefined;
  return (
    <>
      {errors?.passphrase && <input type="hidden" name="passphrase_was_set" value="on" />}
      <Input
        name="passphrase"
        label={t.text('home.passphrase')}
        hint={t.text('request.passphraseHint')}
        type="password"
        autocomplete="new-password"
      />
      {mayHaveFiles && (
        <Checkbox
          name="response_file_attachments"
          label={t.text('request.files')}
          checked={!isReturned || typed.response_file_attachments !== undefined}
        />
      )}
      {sender !== undefined && (
        <Checkbox
          name="include_requestor"
          label={t.text('request.showMe')}
          checked={!isReturned || typed.include_requestor !== undefined}
        />
      )}
      {mayAskForMails && (
        <Checkbox
          name="notify"
          label={t.text('request.notify')}
          checked={!isReturned || typed.notify !== undefined}
        />
      )}
      {mayAskForMails && (
        <Input
          name="notify_emails_to"
          label={t.text('request.mailTo')}
          hint={t.text('mailLink.hint')}
          inputMode="email"
          autocomplete="off"
          value={typed.notify_emails_to}
        />
      )}
      <Input
        name="name"
        label={t.text('home.name')}
        hint={t.text('request.nameHint')}
        autocomplete="off"
        value={typed.name}
      />
      <TextArea name="note" label={t.text('home.note')} rows={2} value={typed.note} />
    </>
  );
}

/** To whom answers are encrypted. A script shows it where the browser can make a key. */
function Encryption({ endToEnd }: Pick<NewRequestProps, 'endToEnd'>) {
  const t = useTexts();
  const { typed, errors } = useForm();
  if (endToEnd === 'off') return null;
  const chosen = typed.encryption ?? (endToEnd === 'offered' ? 'server' : 'browser');
  return (
    <details class="encryption" hidden data-encryption={endToEnd} open={errors?.recipient !== undefined}>
      <summary data-chosen-key />
      <fieldset class="choices" disabled>
        <legend class="visually-hidden">{t.text('request.keyChoice')}</legend>
        <Encrypted
          by="browser"
          isChosen={chosen === 'browser'}
          of="request.byBrowser"
          label={t.text('request.inBrowser')}
        />
        <Encrypted
          by="own"
          isChosen={chosen === 'own'}
          of="request.byOwnKey"
          label={t.text('request.withOwnKey')}
        />
        {endToEnd !== 'required' && (
          <Encrypted
            by="server"
            isChosen={chosen === 'server'}
            of="request.byServer"
            label={t.text('endToEnd.onServer')}
          />
        )}
      </fieldset>
      <div hidden data-own-key>
        <Input
          name="recipient"
          label={t.text('request.recipient')}
          hint={t.text('request.recipientHint')}
          autocomplete="off"
          spellcheck={false}
          value={chosen === 'own' ? typed.recipient : undefined}
        />
      </div>
      <div class="alert" hidden data-key-not-kept>
        <p>{t.text('request.keyNotKept')}</p>
        <p class="tools">
          <button type="button" class="small" data-save-key>
            {t.text('request.saveKey')}
          </button>
          <button type="button" class="small" hidden data-key-saved>
            {t.text('request.keySaved')}
          </button>
        </p>
      </div>
    </details>
  );
}
