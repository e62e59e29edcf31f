import { CheckGroup, Chip, Chips, Panel, Panels } from '../components/choices.js';
import {
  Checkbox,
  Choice,
  ErrorTexts,
  Hint,
  Input,
  ShowField,
  TextArea,
  useFieldName,
} from '../components/fields.js';
import type { FormFields } from '../components/filled-form.js';
import { useForm } from '../components/filled-form.js';
import { GenerateButton, Generator } from '../components/generator.js';
import { NoticeBoxes } from '../components/notice-events.js';
import { useTexts, useSite, Data, Sentence } from '../components/site.js';
import type { EndToEnd } from '../../platform/settings/settings.js';
import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import { readNotices } from '../../pushes/push/notice-events.js';
import { isOptionOn } from './form-fields.js';
import type { VisitorRules } from './form-options.js';
import { HowLong } from './limits.js';

/** A push made here waits for a click unless its sender decides otherwise, whatever the default of the API is. */
const WAITS_FOR_CLICK = true;

export interface OptionsProps {
  rules: VisitorRules;
  /** Whether the browser encrypts the secret. */
  endToEnd: EndToEnd;
  /** The events that the account has chosen for all its pushes; undefined when it gets no mails. */
  notices?: NoticeEvent[];
  /** The email address of the account, if the page of a link may name it. */
  sender?: string;
}

/**
 * What most senders leave as it is: a chip for each option, and the fields of those that are on. A checkbox counts as its
 * `data-standard` while its option is off.
 */
export function Options({ rules, endToEnd, notices, sender }: OptionsProps) {
  const { sendsMail, email } = useSite();
  const { typed, errors } = useForm();
  const { required, defaults } = rules;
  const t = useTexts();
  const isOfAccount = email !== undefined;
  const isDeletable = isTicked('deletable_by_viewer', typed, defaults.deletableByViewer);
  const namesPeople = sendsMail || hasErrorIn(errors, PEOPLE);
  const isMoreSet =
    MORE.some((name) => typed[name]) ||
    ['names_sender', 'hides_contents'].some((name) => isTicked(name, typed, false)) ||
    (!required.has('retrieval_step') &&
      isTicked('retrieval_step', typed, WAITS_FOR_CLICK) !== WAITS_FOR_CLICK) ||
    (isOfAccount && isDeletable !== defaults.deletableByViewer);
  const chip = (opens: string, fields: string[], isSet: boolean) => ({
    opens,
    isInvalid: hasErrorIn(errors, fields),
    isRequired: fields.some((name) => required.has(name)),
    checked: isOptionOn(typed, opens, isSet),
  });
  return (
    <>
      <HiddenOptions isOfAccount={isOfAccount} rules={rules} />
      <Chips label="home.options">
        <Chip {...chip('passphrase', ['passphrase'], Boolean(typed.passphrase_was_set))}>
          {t.text('home.passphrase')}
        </Chip>
        {namesPeople && (
          <Chip {...chip('people', PEOPLE, Boolean(typed.recipients))}>{t.text('home.recipients')}</Chip>
        )}
        {isOfAccount && notices && (
          <Chip {...chip('notices', ['notify_on'], chosenNotices(typed, notices).length > 0)}>
            {t.text('home.notifyMe')}
          </Chip>
        )}
        {isOfAccount && <Chip {...chip('name', ['name'], Boolean(typed.name))}>{t.text('home.name')}</Chip>}
        {!isOfAccount && (
          <Chip
            id="deletable_by_viewer"
            name={useFieldName('deletable_by_viewer')}
            checked={isDeletable}
            data-standard={defaults.deletableByViewer ? 'on' : ''}
          >
            {t.text('home.deletable')}
          </Chip>
        )}
        <Chip {...chip('more', [...MORE, 'opens_at'], isMoreSet)}>{t.text('home.more')}</Chip>
      </Chips>
      {errors?.notify_on && !notices && (
        <div data-field="notify_on">
          <ErrorTexts id="notify_on-error" problems={errors.notify_on} />
        </div>
      )}
      <Panels>
        <PassphrasePanel isRequired={required.has('passphrase')} />
        {namesPeople && <PeoplePanel isRequired={required.has('recipients')} />}
        {isOfAccount && notices && <NoticesPanel standard={notices} />}
        {isOfAccount && <NamePanel />}
        <Panel of="more" isGrid>
          {isOfAccount && <OwnersFields sender={sender} isDeletable={isDeletable} rules={rules} />}
          <WaitsForClick isRequired={required.has('retrieval_step')} />
          <Checkbox
            name="hides_contents"
            label={t.text('home.hidesContents')}
            hint={t.text('home.hidesContentsHint')}
            checked={isTicked('hides_contents', typed, false)}
            data-standard=""
          />
          <HowLong rules={rules} />
          <MailLink endToEnd={endToEnd} />
          <Remember />
        </Panel>
      </Panels>
    </>
  );
}

const PEOPLE = ['recipients', 'once_per_recipient'];

/** The fields under “More” that are shown again as they were typed. */
const MORE = ['expire_after_first_view', 'opens_at_local', 'allowed_networks', 'note', 'notify_emails_to'];

function hasErrorIn(errors: object | undefined, names: string[]): boolean {
  return errors !== undefined && names.some((name) => name in errors);
}

function isTicked(name: string, typed: FormFields, standard: boolean): boolean {
  return typed[name] === undefined ? standard : typed[name] !== 'off';
}

/** That the form has chips, and what counts while “More” is off. */
function HiddenOptions({ isOfAccount, rules }: { isOfAccount: boolean; rules: VisitorRules }) {
  const isDeletable = rules.defaults.deletableByViewer;
  return (
    <>
      <input type="hidden" name={useFieldName('options_of')} value={isOfAccount ? 'account' : 'anybody'} />
      {isOfAccount && isDeletable && (
        <input type="hidden" name={useFieldName('usually_deletable')} value="on" />
      )}
      {rules.required.has('retrieval_step') && (
        <input type="hidden" name={useFieldName('retrieval_step')} value="on" />
      )}
    </>
  );
}

function PassphrasePanel({ isRequired }: { isRequired: boolean }) {
  const { typed } = useForm();
  const t = useTexts();
  return (
    <Panel of="passphrase">
      <Input
        name="passphrase"
        label={t.text('home.passphrase')}
        type="password"
        autocomplete="new-password"
        hint={t.text(isRequired ? 'home.passphraseRequired' : 'home.passphraseHint')}
        required={isRequired}
        data-filled-in
        tools={[
          <GenerateButton key="generate" field="passphrase" label={t.text('home.generatePassphrase')} />,
          <ShowField key="show" field="passphrase" />,
        ]}
      />
      <Generator field="passphrase" isOfWords />
      {typed.passphrase_was_set && (
        <input type="hidden" name={useFieldName('passphrase_was_set')} value={typed.passphrase_was_set} />
      )}
    </Panel>
  );
}

/** Who may open it. Each of them gets codes by mail. */
function PeoplePanel({ isRequired }: { isRequired: boolean }) {
  const t = useTexts();
  const { typed, errors } = useForm();
  return (
    <Panel of="people">
      <Input
        name="recipients"
        label={t.text('home.recipients')}
        hint={t.text(isRequired ? 'home.recipientsRequired' : 'home.recipientsHint')}
        value={typed.recipients}
        inputMode="email"
        autocomplete="off"
        required={isRequired}
        data-filled-in
        errors={{ recipients: errors?.recipients ?? errors?.once_per_recipient }}
      />
      <Checkbox
        name="once_per_recipient"
        label={t.text('home.oncePerRecipient')}
        checked={isTicked('once_per_recipient', typed, false)}
        data-standard=""
      />
    </Panel>
  );
}

const NOTICES = 'notify_on[]';

/** About which events of the push its owner gets mails. The hidden field says that the form has these boxes. */
function NoticesPanel({ standard }: { standard: NoticeEvent[] }) {
  const { typed } = useForm();
  const chosen = chosenNotices(typed, standard);
  const isOn = isOptionOn(typed, 'notices', chosen.length > 0);
  return (
    <Panel of="notices">
      <input type="hidden" name={useFieldName(NOTICES)} value="" />
      <CheckGroup name="notify_on" label="home.notifyWhen">
        <NoticeBoxes field={NOTICES} chosen={isOn ? chosen : ['first_view']} />
      </CheckGroup>
    </Panel>
  );
}

function chosenNotices({ notify_on }: FormFields, standard: NoticeEvent[]): NoticeEvent[] {
  return readNotices(notify_on) ?? standard;
}

function NamePanel() {
  const t = useTexts();
  return (
    <Panel of="name">
      <Input
        name="name"
        label={t.text('home.name')}
        value={useForm().typed.name}
        hint={t.text('home.nameHint')}
        autocomplete="off"
      />
    </Panel>
  );
}

interface OwnersFieldsProps {
  sender?: string;
  isDeletable: boolean;
  rules: VisitorRules;
}

/** The fields under “More” that only the form of an account has. */
function OwnersFields({ sender, isDeletable, rules }: OwnersFieldsProps) {
  const t = useTexts();
  const { typed } = useForm();
  return (
    <>
      {sender !== undefined && (
        <Checkbox
          name="names_sender"
          label={<Sentence of="home.namesSender" email={<Data>{sender}</Data>} />}
          hint={t.text('home.namesSenderHint')}
          checked={isTicked('names_sender', typed, false)}
          data-standard=""
        />
      )}
      <Checkbox
        name="deletable_by_viewer"
        label={t.text('home.deletable')}
        checked={isDeletable}
        data-standard={rules.defaults.deletableByViewer ? 'on' : ''}
      />
      <TextArea
        name="note"
        label={t.text('home.note')}
        hint={t.text('home.noteHint')}
        rows={2}
        value={typed.note}
      />
    </>
  );
}

/** What the browser has encrypted always waits for a click. */
function WaitsForClick({ isRequired }: { isRequired: boolean }) {
  const t = useTexts();
  const { typed } = useForm();
  return (
    <div data-unless-encrypting>
      {isRequired ? (
        <Hint>{t.text('home.clickRequired')}</Hint>
      ) : (
        <Checkbox
          name="retrieval_step"
          label={t.text('home.retrievalStep')}
          hint={t.text('home.retrievalStepHint')}
          checked={isTicked('retrieval_step', typed, WAITS_FOR_CLICK)}
          data-standard="on"
        />
      )}
    </div>
  );
}

/** Who gets the link by mail. A script hides it while the browser encrypts: then only the browser has the whole link. */
function MailLink({ endToEnd }: { endToEnd: EndToEnd }) {
  const { mayAskForMails } = useSite();
  const t = useTexts();
  const { typed, errors } = useForm();
  if (!(mayAskForMails || errors?.notify_emails_to) || endToEnd === 'required') return null;
  return (
    <div data-unless-encrypting>
      <Input
        name="notify_emails_to"
        label={t.text('mailLink.recipients')}
        hint={t.text('mailLink.hint')}
        value={typed.notify_emails_to}
        inputMode="email"
        autocomplete="off"
      />
      <input type="hidden" name={useFieldName('notify_emails_to_locale')} value={t.language} />
    </div>
  );
}

/** A checkbox without a name, so that it is not sent. */
function Remember() {
  const t = useTexts();
  const { email } = useSite();
  return (
    <div hidden data-remember>
      <Choice type="checkbox" id="remember" aria-describedby="remember-hint">
        {t.text('home.remember')}
      </Choice>
      <Hint id="remember-hint">
        {t.text(email === undefined ? 'home.rememberHint' : 'home.rememberHintOfAccount')}
      </Hint>
    </div>
  );
}
