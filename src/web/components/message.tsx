import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import type { Problem } from '../../platform/errors/problem.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { errorText } from '../language/error-texts.js';
import { isUrlToken } from '../../shared/url-token.js';
import { LinkButton } from './button.js';
import { Layout, NarrowPage } from './layout.js';
import type { Seal } from './letter.js';
import { Fact, Facts, Letter, UnderLetter } from './letter.js';
import { Link, useSite, useTexts } from './site.js';

const TITLES: Partial<Record<number, TextKey>> = {
  400: 'error.400',
  403: 'error.403',
  404: 'error.404',
  410: 'error.410',
  413: 'error.413',
  429: 'error.429',
  503: 'error.503',
};

interface MessageProps {
  title: string;
  children: ComponentChildren;
}

/** A page with a single message. */
function Message({ title, children }: MessageProps) {
  return (
    <NarrowPage title={title}>
      <div class="center">
        {children}
        <ToStartPage />
      </div>
    </NarrowPage>
  );
}

type RecipientMessageProps = MessageProps & {
  seal?: Seal;
  script?: string;
  /** As in `Layout`, where an error has an address that shows it again. */
  languageForm?: { next: string };
  /** Whether the letter can be opened at another time or place, so that nothing leads away from it. */
  isForLater?: boolean;
};

/** The same for recipients: a letter that cannot be opened. */
export function RecipientMessage(props: RecipientMessageProps) {
  const { seal = 'gone', isForLater = false, children, ...page } = props;
  return (
    <Layout width="letter" isForRecipient {...page}>
      <Letter seal={seal} title={page.title}>
        {children}
      </Letter>
      {!isForLater && <BelowLetter />}
    </Layout>
  );
}

function BelowLetter() {
  if (useSite().isGateway) return null;
  return (
    <UnderLetter>
      <p>
        <Link to="/">{useTexts().text('error.home')}</Link>
      </p>
    </UnderLetter>
  );
}

function ToStartPage() {
  if (useSite().isGateway) return null;
  return (
    <p class="gap-top">
      <LinkButton to="/">{useTexts().text('error.home')}</LinkButton>
    </p>
  );
}

/**
 * The same for a push that has ended, was deleted or never existed, so that these cannot be distinguished. A script
 * adds what this tab has done with the link.
 */
export function Gone({ urlToken, isOfSender }: { urlToken: string; isOfSender: boolean }) {
  const { isGateway } = useSite(); // which has no pages of senders
  const t = useTexts();
  // an address that no push can have is not repeated: it may be anything
  const own = isUrlToken(urlToken) ? { next: `/p/${urlToken}${isOfSender ? '/preview' : ''}` } : undefined;
  return (
    <Layout title={t.text('gone.title')} script="open" languageForm={own} width="letter" isForRecipient>
      <Letter seal="gone" data-link={linkDigest(urlToken)}>
        <When as="h1" states="first sent" text="gone.title" />
        <When as="h1" states="opened last" text="open.openedTitle" />
        <When as="h1" states="deleted" text="deleted.title" />
        <When states="deleted" text="deleted.text" />
        <When states="last" text="gone.afterLastView" />
        <When states="opened" text="gone.afterView" />
        <When states="sent" text="open.sent" />
        <When states="first sent" text="gone.text" />
        {(isGateway || !isOfSender) && (
          <Facts data-when="first sent">
            <Fact icon="info">{t.text('gone.advice')}</Fact>
            <Fact icon="alert" isWarning>
              {t.text('gone.notOpenedByYou')}
            </Fact>
          </Facts>
        )}
      </Letter>
      <BelowLetter />
    </Layout>
  );
}

interface WhenProps {
  /** What this tab has done with the link; `first` if nothing. */
  states: string;
  text: TextKey;
  as?: 'h1' | 'p';
}

/** What a script shows in these states. */
function When({ states, text, as: Element = 'p' }: WhenProps) {
  return (
    <Element
      class={Element === 'p' ? 'lede' : undefined}
      data-when={states}
      hidden={!states.includes('first')}
    >
      {useTexts().text(text)}
    </Element>
  );
}

interface DeletedProps {
  urlToken: string;
  /** Whether it had been opened, if that is for the visitor to know. */
  wasOpened?: boolean;
}

/** A script remembers in this tab that it was deleted here. */
export function Deleted({ urlToken, wasOpened }: DeletedProps) {
  const t = useTexts();
  return (
    <Layout
      title={t.text('deleted.title')}
      script="open"
      languageForm={{ next: `/p/${urlToken}` }}
      width="letter"
      isForRecipient
    >
      <Letter seal="gone" title={t.text('deleted.title')} data-link={linkDigest(urlToken)} data-deleted>
        <p class="lede">{t.text('deleted.text')}</p>
        {wasOpened !== undefined && (
          <Facts>
            <Fact icon={wasOpened ? 'eye' : 'check'} isWarning={wasOpened} isGood={!wasOpened}>
              {t.text(wasOpened ? 'deleted.wasOpened' : 'deleted.unopened')}
            </Fact>
          </Facts>
        )}
      </Letter>
      <BelowLetter />
    </Layout>
  );
}

interface FailureProps {
  status: number;
  problem: Problem | string;
  children?: ComponentChildren;
}

/** The page of an error. */
export function Failure({ status, problem, children }: FailureProps) {
  const t = useTexts();
  const title = TITLES[status] ?? 'error.other';
  return (
    <Message title={t.text(title)}>
      <p>{status === 404 ? t.text('error.404Text') : errorText(problem, t)}</p>
      {children}
    </Message>
  );
}

/** Why the visitor may create nothing, in place of a form. */
export function MayNotCreate({ problem }: { problem: Problem }) {
  const t = useTexts();
  return (
    <NarrowPage title={t.text('home.mayNotCreate')}>
      <p class="center">{errorText(problem, t)}</p>
    </NarrowPage>
  );
}

/** The digest by which a tab remembers that it has opened a link. The link cannot be computed from it. */
export function linkDigest(urlToken: string): string {
  return createHash('sha256').update(`opened in this tab: ${urlToken}`).digest('base64url');
}
