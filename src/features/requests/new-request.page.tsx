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
import { Banner } from '../../web/components/banner.js';
import { Button, Buttons } from '../../web/components/button.js';
import {
  ActionBar,
  Chip,
  Chips,
  ChoiceRow,
  InlineNumber,
  LabelledChoice,
  Panel,
  Panels,
  SentencePick,
} from '../../web/components/choices.js';
import { useForm, withForm } from '../../web/components/filled-form.js';
import { Checkbox, FormErrors, Input, ShowField, TextArea } from '../../web/components/fields.js';
import { Heading, HeadingLink } from '../../web/components/heading.js';
import { Layout } from '../../web/components/layout.js';
import { Composer, OnlyWide, Sheet, SheetBody, WhoReads, WhoReadsFact } from '../../web/components/sheet.js';
import { Sentence, useSite, useTexts } from '../../web/components/site.js';
import type { FormFields } from '../../web/components/filled-form.js';
import { FormLimit, PostForm } from '../../web/forms/form.js';
import { MayNotCreate } from '../../web/components/message.js';
import {
  assertPassphraseKept,
  dropOptionsThatAreOff,
  isOptionOn,
  undoLineBreaks,
  undoUnticked,
  withMissing,
} from '../../web/sender/form-fields.js';
import { lifetimeInWords } from '../../web/sender/form-options.js';
import { Encrypted } from '../../web/sender/home.js';
import { InMenu } from '../../web/pages/menus.js';
import { PageController, PageResponse, SeeOther } from '../../web/pages/page-controller.js';
import { CurrentUser, PageLanguage } from '../../web/pages/parameters.js';
import type { Language } from '../../texts/languages.js';

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
  @InMenu({ home: { text: 'request.new', position: 10, icon: 'inbox' } })
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
    const filledIn = withoutOptionsThatAreOff(form, user);
    assertComplete(filledIn, policy);
    const asked = this.rules.validated(fieldsOf(filledIn, language), user, policy, 'pages');
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

/** The fields of each option, which count only while its chip is ticked. */
const OPTIONS = {
  passphrase: ['passphrase', 'passphrase_was_set'],
  mail: ['notify_emails_to'],
  name: ['name'],
  more: ['note'],
};

/** What must be filled in if its chip is ticked, because nobody would notice that it is missing. */
const FILLED_IN = { passphrase: 'passphrase', mail: 'notify_emails_to' };

const CHECKBOXES = ['response_file_attachments', 'include_requestor'];

/** Whether the boxes under “More” are as they are in an empty form, whatever was sent. */
function isMoreOff({ options_of, with_more }: FormFields): boolean {
  return options_of !== undefined && with_more !== 'on';
}

/** The form without what is in options that are off. */
function withoutOptionsThatAreOff(form: FormFields, user: User): FormFields {
  if (!form.options_of) return form;
  const kept = { ...form };
  dropOptionsThatAreOff(kept, OPTIONS, FILLED_IN);
  if (!isMoreOff(form)) return kept;
  const include_requestor = emailToName(user) === undefined ? undefined : 'on';
  return { ...kept, response_file_attachments: 'on', include_requestor, notify: 'on' };
}

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

function NewSecretRequest({ endToEnd, mayHaveFiles, sender }: NewRequestProps) {
  const t = useTexts();
  const { typed, errors } = useForm();
  const isFirst = errors === undefined;
  const isEncryptionRequired = endToEnd === 'required';
  return (
    <Layout title={t.text('request.new')} script="new-request" icons={['check']}>
      <Heading title={t.text('request.new')}>
        <HeadingLink to="/" icon="send" text="home.title" />
      </Heading>
      <FormErrors />
      {isEncryptionRequired && (
        <noscript>
          <Banner kind="failure">{t.text('endToEnd.needsScript')}</Banner>
        </noscript>
      )}
      <Sheet to="/requests" id="ask" noValidate data-returned={isFirst ? undefined : ''}>
        <SheetBody>
          <Composer
            name="request"
            label={t.text('request.what')}
            hint={t.text('request.whatHint')}
            isMessage
            rows={3}
            maxLength={10_000}
            required
            autofocus={isFirst}
            value={typed.request}
          />
          <RequestTerms />
          <Options mayHaveFiles={mayHaveFiles} sender={sender} />
        </SheetBody>
        <ActionBar>
          <Encryption endToEnd={endToEnd} />
          <Button
            look="primary"
            disabled={isEncryptionRequired}
            data-until-script={isEncryptionRequired ? '' : undefined}
            data-submit
          >
            {t.text('request.create')}
          </Button>
        </ActionBar>
      </Sheet>
    </Layout>
  );
}

/** How many answers, and until when. */
function RequestTerms() {
  const t = useTexts();
  const { typed } = useForm();
  return (
    <ChoiceRow>
      <LabelledChoice of="answers" text="request.answers">
        <InlineNumber name="answers" bounds={{ min: 1, max: 100 }} value={typed.answers ?? '1'} />
      </LabelledChoice>
      <LabelledChoice of="close_after_duration" text="request.openFor">
        <SentencePick
          name="close_after_duration"
          options={DURATION_SCALE.map(({ lifetime }, step) => ({
            value: String(step),
            label: lifetimeInWords(lifetime, t),
            isSelected: step === Number(typed.close_after_duration ?? DEFAULT_STEP),
          }))}
        />
      </LabelledChoice>
    </ChoiceRow>
  );
}

/** 7 days. */
const DEFAULT_STEP = 12;

/** What most leave as it is: a chip for each option, and the fields of those that are on. */
function Options({ mayHaveFiles, sender }: Omit<NewRequestProps, 'endToEnd'>) {
  const t = useTexts();
  const { typed, errors } = useForm();
  const { mayAskForMails } = useSite();
  const isReturned = errors !== undefined;
  const box = (name: string) => ({
    name,
    checked: !isReturned || typed[name] !== undefined || isMoreOff(typed),
  });
  const chip = (opens: keyof typeof OPTIONS) => ({
    opens,
    isInvalid: OPTIONS[opens].some((name) => errors?.[name] !== undefined),
    checked: isOptionOn(
      typed,
      opens,
      OPTIONS[opens].some((name) => typed[name]),
    ),
  });
  return (
    <>
      <input type="hidden" name="options_of" value="account" />
      <Chips label="home.options">
        <Chip {...chip('passphrase')}>{t.text('home.passphrase')}</Chip>
        {mayAskForMails && <Chip {...chip('mail')}>{t.text('request.mail')}</Chip>}
        <Chip {...chip('name')}>{t.text('home.name')}</Chip>
        <Chip {...chip('more')}>{t.text('home.more')}</Chip>
      </Chips>
      <Panels>
        <Panel of="passphrase">
          {errors?.passphrase && <input type="hidden" name="passphrase_was_set" value="on" />}
          <Input
            name="passphrase"
            label={t.text('home.passphrase')}
            hint={t.text('request.passphraseHint')}
            type="password"
            autocomplete="new-password"
            tools={<ShowField field="passphrase" />}
          />
        </Panel>
        {mayAskForMails && (
          <Panel of="mail">
            <Input
              name="notify_emails_to"
              label={t.text('request.mailTo')}
              hint={t.text('mailLink.hint')}
              inputMode="email"
              autocomplete="off"
              value={typed.notify_emails_to}
            />
          </Panel>
        )}
        <Panel of="name">
          <Input
            name="name"
            label={t.text('home.name')}
            hint={t.text('home.nameHint')}
            autocomplete="off"
            value={typed.name}
          />
        </Panel>
        <Panel of="more" isGrid>
          {mayHaveFiles && <Checkbox {...box('response_file_attachments')} label={t.text('request.files')} />}
          {sender !== undefined && (
            <Checkbox {...box('include_requestor')} label={t.text('request.showMe')} />
          )}
          {mayAskForMails && <Checkbox {...box('notify')} label={t.text('request.notify')} />}
          <TextArea
            name="note"
            label={t.text('home.note')}
            hint={t.text('home.noteHint')}
            rows={2}
            value={typed.note}
          />
        </Panel>
      </Panels>
    </>
  );
}

/** To whom answers are encrypted. A script shows it where the browser can make a key. */
function Encryption({ endToEnd }: Pick<NewRequestProps, 'endToEnd'>) {
  const t = useTexts();
  const { typed, errors } = useForm();
  const byServer = t.text('request.onServer');
  if (endToEnd === 'off') return <WhoReadsFact>{byServer}</WhoReadsFact>;
  const chosen = typed.encryption ?? (endToEnd === 'offered' ? 'server' : 'browser');
  return (
    <>
      {endToEnd !== 'required' && (
        <noscript>
          <WhoReadsFact>{byServer}</WhoReadsFact>
        </noscript>
      )}
      <WhoReads
        mode={endToEnd}
        legend="request.keyChoice"
        isOpen={errors?.recipient !== undefined}
        summary={
          <>
            <span hidden data-chosen-key="browser">
              <Sentence of="request.inBrowser" more={(words) => <OnlyWide>{words}</OnlyWide>} />
            </span>
            <span hidden data-chosen-key="own">
              {t.text('request.withOwnKey')}
            </span>
            <span hidden data-chosen-key="server">
              {byServer}
            </span>
          </>
        }
        more={
          <>
            <div hidden data-own-key>
              <Input
                name="recipient"
                label={t.text('request.recipient')}
                hint={t.text('request.recipientHint')}
                autocomplete="off"
                spellcheck={false}
                isCode
                value={chosen === 'own' ? typed.recipient : undefined}
              />
            </div>
            <Banner kind="warning" hidden data-key-not-kept>
              <p>{t.text('request.keyNotKept')}</p>
              <Buttons>
                <Button type="button" size="small" icon="download" data-save-key>
                  {t.text('request.saveKey')}
                </Button>
                <Button type="button" size="small" hidden data-key-saved>
                  {t.text('request.keySaved')}
                </Button>
              </Buttons>
            </Banner>
          </>
        }
      >
        <Encrypted by="browser" isChosen={chosen === 'browser'} of="request.byBrowser" />
        <Encrypted by="own" isChosen={chosen === 'own'} of="request.byOwnKey" />
        {endToEnd !== 'required' && (
          <Encrypted by="server" isChosen={chosen === 'server'} of="request.byServer" />
        )}
      </WhoReads>
    </>
  );
}
