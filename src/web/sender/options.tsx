import type { FormFields } from '../components/filled-form.js';
import { useForm } from '../components/filled-form.js';
import { Checkbox, Input, TextArea, ErrorTexts, ShowField, useFieldName } from '../components/fields.js';
import { useTexts, useSite, Data, Sentence } from '../components/site.js';
import { HowLong } from './limits.js';
import { Generator } from './kinds.js';
import { KEPT_OPTIONS } from './form-fields.js';
import type { VisitorRules } from './form-options.js';
import type { EndToEnd } from '../../platform/settings/settings.js';
import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import { readNotices } from '../../pushes/push/notice-events.js';
import { NoticeBoxes } from '../components/notice-events.js';

/** A push made here waits for a click unless its sender decides otherwise, whatever the default of the API is. */
const WAITS_FOR_CLICK = true;

export interface OptionsProps extends OwnersFieldsProps {
  rules: VisitorRules;
  /** Whether the browser encrypts the secret. */
  endToEnd: EndToEnd;
}

/**
 * What most senders leave as it is. A script says in the line that opens it which options are set: those with
 * `data-set-as`, in the words of that attribute, when their value is another one than that of `data-standard`.
 */
export function Options({ rules, endToEnd, notices, sender }: OptionsProps) {
  const { typed, errors } = useForm();
  const { required, defaults } = rules;
  const t = useTexts();
  const isSet =
    OPTIONS.some((name) => required.has(name) || errors?.[name] !== undefined) ||
    [...KEPT_OPTIONS, 'passphrase_was_set'].some((name) => typed[name]) ||
    areNoticesChanged(typed, notices) ||
    isTicked('names_sender', typed, false) ||
    isTicked('once_per_recipient', typed, false) ||
    (!required.has('retrieval_step') &&
      isTicked('retrieval_step', typed, WAITS_FOR_CLICK) !== WAITS_FOR_CLICK) ||
    isTicked('deletable_by_viewer', typed, defaults.deletableByViewer) !== defaults.deletableByViewer;
  return (
    <details class="fold" open={isSet} data-fold="options">
      <summary>
        {t.text('home.options')}{' '}
        <span class="quiet" data-set>
          {t.text('home.optionsHint')}
        </span>
      </summary>
      <Passphrase isRequired={required.has('passphrase')} />
      <Switches rules={rules} />
      <OnlyThesePeople isRequired={required.has('recipients')} />
      <MailLink endToEnd={endToEnd} />
      <OwnersFields notices={notices} sender={sender} />
      <HowLong rules={rules} />
      <Remember />
    </details>
  );
}

/** Fields that open the options when they are required, or have an error. */
const OPTIONS = [
  'passphrase',
  'expire_after_first_view',
  'opens_at',
  'allowed_networks',
  'name',
  'note',
  'notify_on',
  'notify_emails_to',
  'recipients',
  'once_per_recipient',
];

function isTicked(name: string, typed: FormFields, standard: boolean): boolean {
  return typed[name] === undefined ? standard : typed[name] !== 'off';
}

function Passphrase({ isRequired }: { isRequired: boolean }) {
  const t = useTexts();
  return (
    <>
      <Input
        name="passphrase"
        label={t.text('home.passphrase')}
        type="password"
        autocomplete="new-password"
        hint={t.text(isRequired ? 'home.passphraseRequired' : 'home.passphraseHint')}
        required={isRequired}
        data-set-as={t.text('home.setPassphrase')}
      />
      <Generator field="passphrase" label={t.text('home.generatePassphrase')} isOfWords>
        <ShowField field="passphrase" />
        <span hidden data-once-generated>
          <button type="button" class="secondary small" hidden data-copy="passphrase">
            {t.text('home.copyPassphrase')}
          </button>
        </span>
      </Generator>
    </>
  );
}

/** The options that are either on or off. What the browser has encrypted always waits for a click. */
function Switches({ rules }: { rules: VisitorRules }) {
  const t = useTexts();
  const { typed } = useForm();
  const isDeletable = rules.defaults.deletableByViewer;
  return (
    <>
      <div data-unless-encrypting>
        {rules.required.has('retrieval_step') ? (
          <>
            <input type="hidden" name={useFieldName('retrieval_step')} value="on" />
            <p class="hint">{t.text('home.clickRequired')}</p>
          </>
        ) : (
          <Checkbox
            name="retrieval_step"
            label={t.text('home.retrievalStep')}
            hint={t.text('home.retrievalStepHint')}
            checked={isTicked('retrieval_step', typed, WAITS_FOR_CLICK)}
            data-standard="on"
            data-set-as={t.text('home.setNoClick')}
          />
        )}
      </div>
      <Checkbox
        name="deletable_by_viewer"
        label={t.text('home.deletable')}
        checked={isTicked('deletable_by_viewer', typed, isDeletable)}
        data-standard={isDeletable ? 'on' : ''}
        data-set-as={t.text(isDeletable ? 'home.setNotDeletable' : 'home.setDeletable')}
      />
    </>
  );
}

/** Who may open it. Each of them gets codes by mail. */
function OnlyThesePeople({ isRequired }: { isRequired: boolean }) {
  const { sendsMail } = useSite();
  const t = useTexts();
  const { typed, errors } = useForm();
  const problems = errors?.recipients ?? errors?.once_per_recipient;
  if (!sendsMail && !problems) return null;
  return (
    <>
      <Input
        name="recipients"
        label={t.text('home.recipients')}
        hint={t.text(isRequired ? 'home.recipientsRequired' : 'home.recipientsHint')}
        value={typed.recipients}
        inputMode="email"
        autocomplete="off"
        required={isRequired}
        errors={{ recipients: problems }}
        data-set-as={t.text('home.setOnlyThese')}
      />
      <Checkbox
        name="once_per_recipient"
        label={t.text('home.oncePerRecipient')}
        checked={isTicked('once_per_recipient', typed, false)}
        data-standard=""
        data-set-as={t.text('home.setOncePerRecipient')}
      />
    </>
  );
}

/** A checkbox without a name, so that it is not sent. */
function Remember() {
  const t = useTexts();
  return (
    <div class="field checkbox" hidden data-remember>
      <input type="checkbox" id="remember" aria-describedby="remember-hint" />
      <div>
        <label for="remember">{t.text('home.remember')}</label>
        <p class="hint" id="remember-hint">
          {t.text('home.rememberHint')}
        </p>
      </div>
    </div>
  );
}

interface OwnersFieldsProps {
  /** The events that the account has chosen for all its pushes; undefined when it gets no mails. */
  notices?: NoticeEvent[];
  /** The email address of the account, if the page of a link may name it. */
  sender?: string;
}

/** The fields that are useful only to the signed-in owner of a push. */
function OwnersFields({ notices, sender }: OwnersFieldsProps) {
  const { email } = useSite();
  const t = useTexts();
  const { typed } = useForm();
  if (email === undefined) return <Notices />;
  return (
    <div data-owners>
      <Input
        name="name"
        label={t.text('home.name')}
        value={typed.name}
        hint={t.text('home.nameHint')}
        autocomplete="off"
        data-set-as={t.text('home.setName')}
      />
      <TextArea
        name="note"
        label={t.text('home.note')}
        rows={2}
        value={typed.note}
        data-set-as={t.text('home.setNote')}
      />
      <p class="hint" hidden data-when-encrypting>
        {t.text('endToEnd.ownerFields')}
      </p>
      {sender !== undefined && (
        <Checkbox
          name="names_sender"
          label={<Sentence of="home.namesSender" email={<Data>{sender}</Data>} />}
          hint={t.text('home.namesSenderHint')}
          checked={isTicked('names_sender', typed, false)}
          data-standard=""
          data-set-as={t.text('home.setNamesSender')}
        />
      )}
      <Notices standard={notices} />
    </div>
  );
}

const FIELD = 'notify_on[]';

interface NoticesProps {
  /** What the account has chosen for all its pushes; undefined when it gets no mails. */
  standard?: NoticeEvent[];
}

/** About which events of the push its owner gets mails. The hidden field says that the form has these boxes. */
function Notices({ standard }: NoticesProps) {
  const t = useTexts();
  const { typed, errors } = useForm();
  const error = errors?.notify_on && <ErrorTexts id="notify_on-error" problems={errors.notify_on} />;
  if (!standard) return error ?? null;
  return (
    <fieldset
      class="choices"
      data-field="notify_on"
      data-standard={standard.join(',')}
      data-set-as={t.text('home.setNotices')}
      aria-describedby={errors?.notify_on && 'notify_on-error'}
    >
      <legend>{t.text('notices.when')}</legend>
      <input type="hidden" name={useFieldName(FIELD)} value="" />
      <NoticeBoxes field={FIELD} chosen={chosenNotices(typed, standard)} />
      {error}
    </fieldset>
  );
}

/** Whether other events are chosen than the account has chosen for all its pushes. */
function areNoticesChanged(typed: FormFields, standard: NoticeEvent[] | undefined): boolean {
  return standard !== undefined && String(chosenNotices(typed, standard)) !== String(standard);
}

function chosenNotices({ notify_on }: FormFields, standard: NoticeEvent[]): NoticeEvent[] {
  return readNotices(notify_on) ?? standard;
}

/** Who gets the link by mail. A script hides it while the browser encrypts: then only the browser has the whole link. */
function MailLink({ endToEnd }: { endToEnd: EndToEnd }) {
  const { mayAskForMails } = useSite();
  const t = useTexts();
  const { typed, errors } = useForm();
  if (!(mayAskForMails || errors?.notify_emails_to) || endToEnd === 'required') return null;
  return (
    <>
      <div data-unless-encrypting>
        <Input
          name="notify_emails_to"
          label={t.text('mailLink.recipients')}
          hint={t.text('mailLink.hint')}
          value={typed.notify_emails_to}
          inputMode="email"
          autocomplete="off"
          data-set-as={t.text('home.setRecipients')}
        />
        <input type="hidden" name={useFieldName('notify_emails_to_locale')} value={t.language} />
      </div>
      <p class="hint" hidden data-when-encrypting>
        {t.text('mailLink.notEncrypted')}
      </p>
    </>
  );
}
