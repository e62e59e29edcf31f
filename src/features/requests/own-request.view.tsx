import type { FoundPush } from '../../pushes/push/pushes.service.js';
import { Banner } from '../../web/components/banner.js';
import { Button, LinkButton } from '../../web/components/button.js';
import { Card, SectionRow, TitledRows } from '../../web/components/card.js';
import { LinkToCopy } from '../../web/components/copy.js';
import { FoldedForm } from '../../web/components/folded-form.js';
import { BackLink, Heading } from '../../web/components/heading.js';
import { Layout } from '../../web/components/layout.js';
import { Fact, Facts } from '../../web/components/letter.js';
import { QrCode } from '../../web/components/qr.js';
import { Sentence, useTexts, Data } from '../../web/components/site.js';
import { Lines, Split } from '../../web/components/split.js';
import { Tag } from '../../web/components/table.js';
import { DOT, TextWithTime, Time } from '../../web/components/words.js';
import { isKindKnown, kindIconOf } from '../../web/owner/own-list.js';
import { SendLink } from '../../web/components/send-link.js';
import type { OwnRequestDto } from './request.dto.js';

/** The fragment of the address of the page that has the form open that closes the request. */
export const CLOSE = 'close';

interface OwnRequestProps {
  request: OwnRequestDto;
  /** In the order in which they came. */
  answers: FoundPush[];
}

/** A request as its owner sees it: its link while it is open, and the answers. */
export function OwnRequest({ request, answers }: OwnRequestProps) {
  const t = useTexts();
  const isOpen = request.state === 'open';
  const hasAnswers = answers.length > 0;
  const isNew = isOpen && !hasAnswers;
  const isAllInTitle = request.name === '' && !isNew && firstLine(request.request) === request.request.trim();
  const hasMore = !isAllInTitle || request.note !== '' || request.passphrase_required;
  return (
    <Layout title={t.text('request.title')} width="list" script="own-request">
      <BackLink to="/requests" text="requests.back" />
      <Heading
        title={<Title request={request} isNew={isNew} />}
        lede={
          isOpen ? (
            <Sentence
              of={hasAnswers ? 'request.state' : 'request.stateNew'}
              answered={request.answers - request.answers_remaining}
              max={request.answers}
              time={<Time at={request.close_after_at} format="weekday" />}
            />
          ) : (
            t.text('request.closed')
          )
        }
      />
      <Banner kind="failure" role="alert" hidden data-swapped>
        {t.text('request.swapped')}
      </Banner>
      <Split
        aside={
          (hasMore || request.client_encrypted) && (
            <>
              {hasMore && <About request={request} />}
              {request.client_encrypted && <Key request={request} />}
            </>
          )
        }
      >
        {hasAnswers && <Answers answers={answers} />}
        {isOpen && <LinkOfRequest request={request} hasAnswers={hasAnswers} />}
      </Split>
    </Layout>
  );
}

function Title({ request: { name, request }, isNew }: { request: OwnRequestDto; isNew: boolean }) {
  const t = useTexts();
  if (name !== '') return <Data>{name}</Data>;
  return isNew ? <>{t.text('request.ready')}</> : <Data>{firstLine(request)}</Data>;
}

function LinkOfRequest({ request, hasAnswers }: { request: OwnRequestDto; hasAnswers: boolean }) {
  const t = useTexts();
  return (
    <Card
      title="copy.link"
      isTitleHidden
      strip={
        <FoldedForm
          to={`/requests/${request.url_token}/close`}
          id={CLOSE}
          icon="ban"
          heading="request.close"
          text="request.closeText"
          submit="request.closeNow"
          isDangerous
        />
      }
    >
      <div data-link={hasAnswers ? '' : 'new'}>
        <LinkToCopy url={request.html_url} look={hasAnswers ? undefined : 'primary'} />
        {request.passphrase_required && <p class="small quiet gap-sm">{t.text('created.passphrase')}</p>}
        <SendLink url={request.html_url} text="request.mailText" subject="request.mailSubject">
          <QrCode text={request.html_url} label={t.text('copy.qr')} id="qrcode" />
        </SendLink>
      </div>
    </Card>
  );
}

/** The first one that was not opened yet has the one primary button of the page, otherwise the first one. */
function Answers({ answers }: { answers: FoundPush[] }) {
  const openable = answers.filter(({ push }) => !push.expired);
  const first = openable.find(({ wasOpened }) => !wasOpened) ?? openable[0];
  return (
    <TitledRows title="request.answersTitle">
      {answers.map((answer, i) => (
        <Answer key={answer.push.url_token} answer={answer} number={i + 1} isFirst={answer === first} />
      ))}
    </TitledRows>
  );
}

function Answer({ answer, number, isFirst }: { answer: FoundPush; number: number; isFirst: boolean }) {
  const t = useTexts();
  const { push, files, wasOpened } = answer;
  return (
    <SectionRow
      icon={kindIconOf(push)}
      title={
        <>
          {t.text('request.answer', { number })}
          {!push.expired && !wasOpened && (
            <>
              {' '}
              <Tag>{t.text('request.isNew')}</Tag>
            </>
          )}
        </>
      }
      state={
        <>
          {files > 0 && `${t.text('audit.files', { count: files })}${DOT}`}
          {files === 0 && isKindKnown(push) && `${t.text(`kind.${push.kind}`)}${DOT}`}
          <Time at={push.created_at} format="named" />
          {DOT}
          {push.expired ? (
            t.text('request.answerEnded')
          ) : (
            <TextWithTime of="request.answerUntil" at={push.expires_at} format="brief" />
          )}
        </>
      }
      action={
        !push.expired && (
          <LinkButton to={`/p/${push.url_token}`} look={isFirst ? 'primary' : 'secondary'}>
            {t.text('request.openAnswer')}
          </LinkButton>
        )
      }
    />
  );
}

/** What was asked, as far as the heading does not say it. */
function About({ request }: { request: OwnRequestDto }) {
  const t = useTexts();
  return (
    <Card title="requests.asked">
      <Facts>
        <Fact icon="inbox">
          <Lines text={request.request} />
        </Fact>
        {request.note && (
          <Fact icon="pencil">
            <Lines text={request.note} />
          </Fact>
        )}
        {request.passphrase_required && <Fact icon="key">{t.text('audit.needsPassphrase')}</Fact>}
      </Facts>
    </Card>
  );
}

/** The key that opens the answers, as far as this browser has it: a script shows which is the case. */
function Key({ request: { html_url: url } }: { request: OwnRequestDto }) {
  const t = useTexts();
  return (
    <div data-key-of={url.slice(url.indexOf('#') + 1)}>
      <Card title="request.keyHere" hidden data-key="kept">
        <p class="small quiet">{t.text('request.keyKept')}</p>
        <p class="gap-sm">
          <Button type="button" icon="download" isWide data-save-key>
            {t.text('request.saveKey')}
          </Button>
        </p>
      </Card>
      <Card title="request.keyNotHere" hidden data-key="elsewhere">
        <p class="small quiet">{t.text('request.keyElsewhere')}</p>
      </Card>
      <noscript>
        <Card>
          <p class="small quiet">
            {t.text('request.encrypted')} {t.text('request.keyNeedsScript')}
          </p>
        </Card>
      </noscript>
    </div>
  );
}

const MAX_SHOWN = 80;

/** What names a request without a name. */
export function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length <= MAX_SHOWN ? line : `${Array.from(line).slice(0, MAX_SHOWN).join('')}…`;
}
