import type { RequestDto } from './request.dto.js';
import type { FileRules } from '../../files/file-rules.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Button } from '../../web/components/button.js';
import { ActionBar } from '../../web/components/choices.js';
import type { FieldErrors } from '../../web/components/filled-form.js';
import { useForm } from '../../web/components/filled-form.js';
import { FormErrors, Hint, Input, ShowField } from '../../web/components/fields.js';
import { Heading, Lede } from '../../web/components/heading.js';
import { Layout } from '../../web/components/layout.js';
import { Letter } from '../../web/components/letter.js';
import { RecipientMessage } from '../../web/components/message.js';
import { Progress } from '../../web/components/progress.js';
import { Composer, LetterColumn, Quote, Sheet, SheetBody, WhoReadsFact } from '../../web/components/sheet.js';
import { Form, Sentence, useTexts, Data } from '../../web/components/site.js';
import { Time } from '../../web/components/words.js';
import { ICONS_OF_SCRIPTS } from '../../web/sender/home.js';
import { AS_TYPED, Files } from '../../web/sender/kinds.js';

interface AnswerFormProps {
  request: RequestDto;
  rules: FileRules;
}

/** What is asked, and the form to answer. With a recipient, a script encrypts the answer, or says why it does not. */
export function AnswerForm({ request, rules }: AnswerFormProps) {
  const t = useTexts();
  const { errors } = useForm();
  const { requestor, recipient } = request;
  return (
    <Layout title={t.text('answer.title')} script="answer" isForRecipient icons={ICONS_OF_SCRIPTS}>
      <Unable isEncrypted={recipient !== null} />
      <div hidden={recipient !== null} data-answerable>
        <Heading
          title={t.text('answer.title')}
          lede={
            requestor === undefined ? undefined : (
              <Sentence of="answer.from" requestor={<Data>{requestor}</Data>} />
            )
          }
        />
        <Quote>{request.request}</Quote>
        <FormErrors errors={withFilesNotWanted(errors, request)} />
        <Sheet
          to={`/requests/${request.url_token}`}
          under="push"
          encType="multipart/form-data"
          id="answer"
          noValidate
          data-recipient={recipient ?? undefined}
        >
          <SheetBody>
            <Composer
              name="payload"
              label={t.text('answer.secret')}
              rows={4}
              autofocus={!errors}
              {...AS_TYPED}
            />
            {request.response_file_attachments && (
              <Files rules={rules} form="" uploadsFor={{ request: request.url_token }} />
            )}
            <Hint>
              <Sentence
                of="answer.until"
                count={request.answers_remaining}
                time={<Time at={request.close_after_at} format="weekday" />}
              />
            </Hint>
          </SheetBody>
          <ActionBar>
            <WhoReadsFact>{t.text(recipient === null ? 'answer.byServer' : 'answer.byBrowser')}</WhoReadsFact>
            <Button look="primary" data-submit>
              {t.text('answer.send')}
            </Button>
            <Progress label={t.text('home.sending')} id="progress" />
          </ActionBar>
        </Sheet>
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
          <LetterColumn>
            <Letter seal="fault" title={t.text('answer.noScriptTitle')}>
              <Lede>{t.text('answer.noScript')}</Lede>
            </Letter>
          </LetterColumn>
        </noscript>
      )}
      {UNABLE.map(({ state, title, text }) => (
        <LetterColumn key={state} hidden data-unable={state}>
          <Letter seal="fault" title={t.text(title)}>
            <Lede>{t.text(text)}</Lede>
          </Letter>
        </LetterColumn>
      ))}
    </>
  );
}

/** The form for the passphrase of a request, before anything of it is shown. */
export function AskForPassphrase({ urlToken }: { urlToken: string }) {
  const t = useTexts();
  return (
    <Layout
      title={t.text('answer.title')}
      script="answer"
      languageForm={{ next: `/requests/${urlToken}` }}
      isForRecipient
      width="letter"
    >
      <Letter seal="sealed" title={t.text('answer.title')}>
        <Lede>{t.text('answer.passphraseNeeded')}</Lede>
        <Form to={`/requests/${urlToken}/passphrase`}>
          <Input
            name="passphrase"
            label={t.text('open.passphrase')}
            type="password"
            autocomplete="off"
            required
            autofocus
            tools={<ShowField field="passphrase" />}
          />
          <Button look="primary" size="large" isWide>
            {t.text('answer.continue')}
          </Button>
        </Form>
      </Letter>
    </Layout>
  );
}

/** The page of a request that takes no more answers. */
export function Closed({ urlToken, hasTyped = false }: { urlToken: string; hasTyped?: boolean }) {
  const t = useTexts();
  const languageForm = hasTyped ? undefined : { next: `/requests/${urlToken}` };
  return (
    <RecipientMessage title={t.text('answer.closedTitle')} languageForm={languageForm}>
      <Lede>{t.text(hasTyped ? 'answer.closedNotSent' : 'answer.closed')}</Lede>
    </RecipientMessage>
  );
}

/** The page after an answer. */
export function Sent() {
  const t = useTexts();
  return (
    <RecipientMessage title={t.text('answer.sentTitle')} seal="done">
      <Lede>{t.text('answer.sent')}</Lede>
    </RecipientMessage>
  );
}
