import type { RequestDto } from './request.dto.js';
import type { FileRules } from '../../files/file-rules.js';
import type { Problem } from '../../platform/errors/problem.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { FieldErrors } from '../../web/components/fields.js';
import { FormErrors, Input, TextArea } from '../../web/components/fields.js';
import { Layout } from '../../web/components/layout.js';
import { RecipientMessage } from '../../web/components/message.js';
import { Progress } from '../../web/components/progress.js';
import { Form, Sentence, useTexts, Data, UNTRANSLATED } from '../../web/components/site.js';
import { Time } from '../../web/components/words.js';
import { Files } from '../../web/sender/kinds.js';

interface AnswerFormProps {
  request: RequestDto;
  rules: FileRules;
  errors?: FieldErrors;
}

/** What is asked, and the form to answer. With a recipient, a script encrypts the answer, or says why it does not. */
export function AnswerForm({ request, rules, errors }: AnswerFormProps) {
  const t = useTexts();
  const { requestor, recipient } = request;
  return (
    <Layout title={t.text('answer.title')} script="answer" isForRecipient>
      <div data-answer={recipient === null ? 'server' : 'recipient'}>
        <Unable isEncrypted={recipient !== null} />
        <div hidden={recipient !== null} data-answerable>
          <h1>{t.text('answer.title')}</h1>
          {requestor !== undefined && (
            <p class="lede">
              <Sentence of="answer.from" requestor={<Data>{requestor}</Data>} />
            </p>
          )}
          <p class="note asked" {...UNTRANSLATED}>
            {request.request}
          </p>
          <FormErrors errors={withFilesNotWanted(errors, request)} />
          <Form
            to={`/requests/${request.url_token}`}
            encType="multipart/form-data"
            class="card"
            id="answer"
            noValidate
            data-recipient={recipient ?? undefined}
          >
            <TextArea
              name="payload"
              field="push[payload]"
              label={t.text('answer.secret')}
              rows={4}
              autofocus={!errors}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              errors={errors}
            />
            {request.response_file_attachments && <Files rules={rules} form="" errors={errors} />}
            <button class="wide">{t.text('answer.send')}</button>
            <p class="quiet">
              {t.text(recipient === null ? 'answer.byServer' : 'answer.byBrowser')}{' '}
              <Sentence
                of="answer.until"
                count={request.answers_remaining}
                time={<Time at={request.close_after_at} format="weekday" />}
              />
            </p>
            <Progress label={t.text('home.sending')} id="progress" />
          </Form>
        </div>
      </div>
    </Layout>
  );
}

/** What is wrong with files has no place of its own where the form has no field for them. */
function withFilesNotWanted(
  errors: FieldErrors | undefined,
  { response_file_attachments: areWanted }: RequestDto,
): FieldErrors | undefined {
  return areWanted || !errors?.files ? errors : { ...errors, form: errors.files };
}

/** The states in which the script does not show the form. */
const UNABLE: { state: string; title: TextKey; text: TextKey }[] = [
  { state: 'incomplete', title: 'answer.incompleteTitle', text: 'answer.incomplete' },
  { state: 'swapped', title: 'answer.swappedTitle', text: 'answer.swapped' },
  { state: 'unavailable', title: 'answer.unavailableTitle', text: 'answer.unavailable' },
];

/** Why an answer that must be encrypted cannot be; also where only the link says that it must be. */
function Unable({ isEncrypted }: { isEncrypted: boolean }) {
  const t = useTexts();
  return (
    <>
      {isEncrypted && (
        <noscript>
          <h1 class="fault">{t.text('answer.noScriptTitle')}</h1>
          <p class="lede">{t.text('answer.noScript')}</p>
        </noscript>
      )}
      {UNABLE.map(({ state, title, text }) => (
        <div key={state} hidden data-unable={state}>
          <h1 class="fault">{t.text(title)}</h1>
          <p class="lede">{t.text(text)}</p>
        </div>
      ))}
    </>
  );
}

/** The form for the passphrase of a request, before anything of it is shown. */
export function AskForPassphrase({ urlToken, problem }: { urlToken: string; problem?: Problem | string }) {
  const t = useTexts();
  return (
    <Layout title={t.text('answer.title')} script="answer" isForRecipient>
      <div class="recipient">
        <h1>{t.text('answer.title')}</h1>
        <p class="lede">{t.text('answer.passphraseNeeded')}</p>
        <Form to={`/requests/${urlToken}/passphrase`}>
          <Input
            name="passphrase"
            label={t.text('open.passphrase')}
            type="password"
            autocomplete="off"
            required
            autofocus
            errors={problem === undefined ? undefined : { passphrase: [problem] }}
          />
          <button>{t.text('answer.continue')}</button>
        </Form>
      </div>
    </Layout>
  );
}

/** The page of a request that takes no more answers. */
export function Closed({ urlToken, hasTyped = false }: { urlToken: string; hasTyped?: boolean }) {
  const t = useTexts();
  const languageForm = hasTyped ? undefined : { next: `/requests/${urlToken}` };
  return (
    <RecipientMessage title={t.text('answer.closedTitle')} languageForm={languageForm}>
      <p>{t.text(hasTyped ? 'answer.closedNotSent' : 'answer.closed')}</p>
    </RecipientMessage>
  );
}

/** The page after an answer. */
export function Sent() {
  const t = useTexts();
  return (
    <RecipientMessage title={t.text('answer.sentTitle')}>
      <p>{t.text('answer.sent')}</p>
    </RecipientMessage>
  );
}
