import type { PushDefaults } from '../../pushes/create/new-push.js';
import { Checkbox, Input, TextArea, ErrorTexts } from '../components/fields.js';
import { useTexts, useSite } from '../components/site.js';
import type { FormPartProps, EnteredFields } from './form-options.js';
import type { EndToEnd } from '../../platform/settings/settings.js';
import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import { readNotices } from '../../pushes/push/notice-events.js';
import { NoticeBoxes } from '../components/notice-events.js';

/** A push made here waits for a click unless its sender decides otherwise, whatever the default of the API is. */
const WAITS_FOR_CLICK = true;

/** The options that are either on or off. */
export function Switches({ defaults, typed }: FormPartProps & { defaults: PushDefaults }) {
  const t = useTexts();
  const isTicked = (name: string, standard: boolean) =>
    typed[name] === undefined ? standard : typed[name] !== 'off';
  return (
    <>
      <Checkbox
        name="retrieval_step"
        field="push[retrieval_step]"
        label={t.text('home.retrievalStep')}
        hint={t.text('home.retrievalStepHint')}
        checked={isTicked('retrieval_step', WAITS_FOR_CLICK)}
      />
      <Checkbox
        name="deletable_by_viewer"
        field="push[deletable_by_viewer]"
        label={t.text('home.deletable')}
        checked={isTicked('deletable_by_viewer', defaults.deletableByViewer)}
      />
    </>
  );
}

/** Who encrypts the secret: the browser needs a script for it, which shows this. */
export function Encryption({ mode }: { mode: EndToEnd }) {
  const t = useTexts();
  if (mode === 'off') return null;
  if (mode === 'required') {
    return (
      <p class="encryption" hidden data-encryption={mode}>
        {t.text('endToEnd.factByBrowser')}
      </p>
    );
  }
  return (
    <fieldset class="choices encryption" hidden disabled data-encryption={mode}>
      <legend>{t.text('endToEnd.choice')}</legend>
      <label>
        <input type="radio" name="encryption" value="browser" checked={mode === 'default'} />
        {t.text('endToEnd.byBrowser')}
      </label>
      <label>
        <input type="radio" name="encryption" value="server" checked={mode === 'offered'} />
        {t.text('endToEnd.byServer')}
      </label>
    </fieldset>
  );
}

/** Why the form cannot be used where the browser has to encrypt and is not able to. */
export function EncryptionUnavailable() {
  const t = useTexts();
  return (
    <>
      <noscript>
        <p class="alert bad">{t.text('endToEnd.needsScript')}</p>
      </noscript>
      <p class="alert bad" hidden data-encryption-unavailable>
        {t.text('endToEnd.needsHttps')}
      </p>
    </>
  );
}

interface OwnersFieldsProps extends FormPartProps {
  /** The events that the account has chosen for all its pushes; undefined when it gets no mails. */
  notices?: NoticeEvent[];
}

/** The fields that are useful only to the signed-in owner of a push. */
export function OwnersFields({ notices, typed, errors }: OwnersFieldsProps) {
  const { email } = useSite();
  const t = useTexts();
  if (email === undefined) return <Notices typed={typed} errors={errors} />;
  const isFilledIn = Boolean(typed.name) || Boolean(typed.note) || areNoticesChanged(typed, notices);
  return (
    <details class="for-you" open={isFilledIn || errors?.notify_on !== undefined || undefined}>
      <summary>{t.text(notices ? 'home.ownerFieldsAndNotices' : 'home.ownerFields')}</summary>
      <Input
        name="name"
        field="push[name]"
        label={t.text('home.name')}
        value={typed.name}
        hint={t.text('home.nameHint')}
        autocomplete="off"
        errors={errors}
      />
      <TextArea
        name="note"
        field="push[note]"
        label={t.text('home.note')}
        rows={2}
        value={typed.note}
        errors={errors}
      />
      <p class="hint" hidden data-when-encrypting>
        {t.text('endToEnd.ownerFields')}
      </p>
      <Notices standard={notices} typed={typed} errors={errors} />
    </details>
  );
}

const FIELD = 'push[notify_on][]';

interface NoticesProps extends FormPartProps {
  /** What the account has chosen for all its pushes; undefined when it gets no mails. */
  standard?: NoticeEvent[];
}

/** About which events of the push its owner gets mails. The hidden field says that the form has these boxes. */
function Notices({ standard, typed, errors }: NoticesProps) {
  const t = useTexts();
  const error = errors?.notify_on && <ErrorTexts id="notify_on-error" problems={errors.notify_on} />;
  if (!standard) return error ?? null;
  return (
    <fieldset
      class="choices"
      data-field="notify_on"
      aria-describedby={errors?.notify_on && 'notify_on-error'}
    >
      <legend>{t.text('notices.when')}</legend>
      <input type="hidden" name={FIELD} value="" />
      <NoticeBoxes field={FIELD} chosen={chosenNotices(typed, standard)} />
      {error}
    </fieldset>
  );
}

/** Whether other events are chosen than the account has chosen for all its pushes. */
function areNoticesChanged(typed: EnteredFields, standard: NoticeEvent[] | undefined): boolean {
  return standard !== undefined && String(chosenNotices(typed, standard)) !== String(standard);
}

function chosenNotices({ notify_on }: EnteredFields, standard: NoticeEvent[]): NoticeEvent[] {
  return readNotices(notify_on) ?? standard;
}

/** Who gets the link by mail. A script hides it while the browser encrypts: then only the browser has the whole link. */
export function Recipients({ endToEnd, typed, errors }: FormPartProps & { endToEnd: EndToEnd }) {
  const { mayAskForMails } = useSite();
  const t = useTexts();
  if (!(mayAskForMails || errors?.notify_emails_to) || endToEnd === 'required') return null;
  return (
    <>
      <div data-unless-encrypting>
        <Input
          name="notify_emails_to"
          field="push[notify_emails_to]"
          label={t.text('mailLink.recipients')}
          hint={t.text('mailLink.hint')}
          value={typed.notify_emails_to}
          inputMode="email"
          autocomplete="off"
          errors={errors}
        />
        <input type="hidden" name="push[notify_emails_to_locale]" value={t.language} />
      </div>
      <p class="hint" hidden data-when-encrypting>
        {t.text('mailLink.notEncrypted')}
      </p>
    </>
  );
}
