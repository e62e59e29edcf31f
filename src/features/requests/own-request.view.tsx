import type { OwnRequestDto } from './request.dto.js';
import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import { LinkToCopy } from '../../web/components/copy.js';
import { FoldedForm } from '../../web/components/folded-form.js';
import { Layout } from '../../web/components/layout.js';
import { QrCode } from '../../web/components/qr.js';
import { Link, Sentence, useTexts, Data, UNTRANSLATED, LinkLine } from '../../web/components/site.js';
import { EncryptedAnswer, TextWithTime, Time } from '../../web/components/words.js';
import { SendLink } from '../../web/sender/created.page.js';

interface OwnRequestProps {
  request: OwnRequestDto;
  /** In the order in which they came. */
  answers: OwnPushDto[];
}

/** A request as its owner sees it: its link while it is open, and the answers. */
export function OwnRequest({ request, answers }: OwnRequestProps) {
  const t = useTexts();
  const isOpen = request.state === 'open';
  const hasAnswers = answers.length > 0;
  const title = t.text(isOpen && !hasAnswers ? 'request.ready' : 'request.title');
  return (
    <Layout title={t.text('request.title')} script="own-request">
      <LinkLine class="back" to="/requests" text="requests.back" />
      <h1>{request.name ? <Data>{request.name}</Data> : title}</h1>
      <p class="note asked" {...UNTRANSLATED}>
        {request.request}
      </p>
      {request.note && (
        <p class="note" {...UNTRANSLATED}>
          {request.note}
        </p>
      )}
      <p class="lede">
        {isOpen ? (
          <Sentence
            of="request.state"
            answered={request.answers - request.answers_remaining}
            max={request.answers}
            time={<Time at={request.close_after_at} format="weekday" />}
          />
        ) : (
          t.text('request.closed')
        )}
      </p>
      {hasAnswers && <Answers answers={answers} />}
      <p class="alert bad" role="alert" hidden data-swapped>
        {t.text('request.swapped')}
      </p>
      {isOpen && (
        <section class="card" data-link={hasAnswers ? '' : 'new'}>
          <LinkToCopy url={request.html_url} />
          {request.passphrase_required && <p class="quiet">{t.text('created.passphrase')}</p>}
          <SendLink url={request.html_url} text="request.mailText" subject="request.mailSubject">
            <QrCode text={request.html_url} label={t.text('copy.qr')} id="qrcode" />
          </SendLink>
        </section>
      )}
      {request.client_encrypted && <Key request={request} />}
      {isOpen && (
        <FoldedForm
          to={`/requests/${request.url_token}/close`}
          heading="request.close"
          text="request.closeText"
          submit="request.closeNow"
          isDangerous
        />
      )}
    </Layout>
  );
}

function Answers({ answers }: { answers: OwnPushDto[] }) {
  const t = useTexts();
  return (
    <>
      <h2>{t.text('request.answersTitle')}</h2>
      <ul class="rows">
        {answers.map((answer, i) => (
          <li key={answer.url_token} class="listed">
            <div class="what">
              <span>
                <span class="name">{t.text('request.answer', { number: i + 1 })}</span>{' '}
                <span class="badge">{t.text(`kind.${answer.kind}`)}</span>
              </span>
              <span class="quiet">
                {answer.expired ? (
                  t.text('request.answerEnded')
                ) : (
                  <TextWithTime of="request.answerUntil" at={answer.expires_at} format="soon" />
                )}
              </span>
            </div>
            {!answer.expired && (
              <div class="doings">
                <Link to={`/p/${answer.url_token}`} role="button" class="small">
                  {t.text('request.openAnswer')}
                </Link>
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The key that opens the answers, as far as this browser has it: a script shows which is the case. */
function Key({ request: { html_url: url } }: { request: OwnRequestDto }) {
  const t = useTexts();
  return (
    <section class="card" data-key-of={url.slice(url.indexOf('#') + 1)}>
      <EncryptedAnswer />
      <div hidden data-key="kept">
        <p>{t.text('request.keyKept')}</p>
        <p class="tools">
          <button type="button" class="secondary small" data-save-key>
            {t.text('request.saveKey')}
          </button>
        </p>
      </div>
      <p hidden data-key="elsewhere">
        {t.text('request.keyElsewhere')}
      </p>
      <noscript>
        <p>{t.text('request.keyNeedsScript')}</p>
      </noscript>
    </section>
  );
}
