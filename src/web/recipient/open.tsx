import type { ComponentChildren } from 'preact';
import type { OpeningRefusal } from '../../pushes/push/push.entity.js';
import type { OpenRequirements, RemainingLimits } from '../../pushes/push/pushes.service.js';
import { Banner } from '../components/banner.js';
import { SummaryButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Lede } from '../components/heading.js';
import { Layout } from '../components/layout.js';
import { Fact, Facts, Letter, LetterContent, UnderLetter, Wax } from '../components/letter.js';
import { RecipientMessage } from '../components/message.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { isInsideApp } from '../../platform/http/user-agent.js';
import { htmlUrl } from '../../pushes/push/push.dto.js';
import { Commands, LinkToCopy } from '../components/copy.js';
import type { BoxAttributes } from '../components/site.js';
import { BOLD, Data, Sentence, UNTRANSLATED, useTexts } from '../components/site.js';
import { useForm } from '../components/filled-form.js';
import { OpenWithCode } from './code.js';
import { OpenForm } from './open-form.js';
import { EndToEndSign, KIND_ICONS, TextWithTime } from '../components/words.js';

export interface OpenProps {
  urlToken: string;
  requirements: OpenRequirements;
  visitor: Pick<Visitor, 'baseUrl' | 'userAgent'>;
  /** The email address for which this browser has asked for a code. */
  askedFor?: string;
}

/** The page before a push is opened. No view has been counted and no content has been read. */
export function Open(props: OpenProps) {
  const { ownerOnly, clientEncrypted } = props.requirements;
  if (ownerOnly) return <OpenOwn {...props} />;
  return clientEncrypted ? <OpenEncrypted {...props} /> : <OpenPush {...props} />;
}

/** The page of a push that the visitor cannot open now. The address stays as it is, and so does a key in it. */
export function Refused({ urlToken, refusal }: { urlToken: string; refusal: OpeningRefusal }) {
  const t = useTexts();
  const isElsewhere = refusal.reason === 'network';
  const title = t.text(isElsewhere ? 'open.otherNetworkTitle' : 'open.notYetTitle');
  return (
    <RecipientMessage
      title={title}
      script="open"
      languageForm={{ next: `/p/${urlToken}` }}
      seal={isElsewhere ? 'elsewhere' : 'sealed'}
      isForLater
    >
      <Lede>
        {isElsewhere ? (
          t.text('open.otherNetwork')
        ) : (
          <TextWithTime of="open.notYet" at={refusal.opensAt} format="named" />
        )}
      </Lede>
      <Unused />
    </RecipientMessage>
  );
}

/** Nothing was lost. */
function Unused(props: BoxAttributes) {
  return (
    <Facts {...props}>
      <Fact icon="check" isGood>
        {useTexts().text('open.unused')}
      </Fact>
    </Facts>
  );
}

/** What only its owner can open, who is the visitor: it costs no view, so a script opens it at once. */
function OpenOwn({ urlToken, requirements }: OpenProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('answer.openTitle')} script="open" width="letter">
      <Openable>
        <Letter seal="sealed" title={t.text('answer.openTitle')}>
          {requirements.clientEncrypted && (
            <noscript>
              <Lede>{t.text('request.keyNeedsScript')}</Lede>
            </noscript>
          )}
          <OpenForm urlToken={urlToken} passphraseRequired={false} isSentByItself isFree />
        </Letter>
      </Openable>
    </Layout>
  );
}

function OpenPush(props: OpenProps) {
  const { urlToken, requirements, askedFor } = props;
  const { waitsForClick, passphraseRequired, codeNeeded, remaining } = requirements;
  const form = { urlToken, isSecondary: mayLoseFiles(props) };
  const t = useTexts();
  return (
    <OpenLayout {...props}>
      <Letter seal="sealed">
        <h1>
          <Title {...props} />
        </h1>
        <Content {...props} />
        <When states="opened last">
          <Banner>{t.text('open.opened')}</Banner>
        </When>
        <When states="sent">
          <Banner kind="warning">{t.text('open.sent')}</Banner>
        </When>
        {remaining && <Remaining remaining={remaining} />}
        <InBrowser {...props}>
          {codeNeeded ? (
            <OpenWithCode askedFor={askedFor} passphraseRequired={passphraseRequired} {...form} />
          ) : (
            <OpenForm
              passphraseRequired={passphraseRequired}
              isSentByItself={!waitsForClick && !passphraseRequired && !form.isSecondary}
              {...form}
            />
          )}
        </InBrowser>
      </Letter>
    </OpenLayout>
  );
}

/**
 * What a page asks and says before a push is opened. A script replaces all of it if the link promises that a browser
 * has encrypted the secret, and the server has another one.
 */
function Openable({ isEndToEnd = false, children }: { isEndToEnd?: boolean; children: ComponentChildren }) {
  const t = useTexts();
  return (
    <>
      <div data-openable data-end-to-end={isEndToEnd ? '' : undefined}>
        {children}
      </div>
      <div role="alert" hidden data-swapped>
        <Letter seal="fault" title={t.text('open.swappedTitle')}>
          <Lede>{t.text('open.swapped')}</Lede>
        </Letter>
      </div>
    </>
  );
}

function OpenLayout({ children, ...props }: OpenProps & { children: ComponentChildren }) {
  const t = useTexts();
  const { errors } = useForm();
  const count = filesIn(props);
  const title = count > 0 ? t.text('open.titleFiles', { count }) : t.text('open.title');
  const languageForm = errors && { next: `/p/${props.urlToken}` };
  return (
    <Layout title={title} script="open" languageForm={languageForm} width="letter" isForRecipient>
      <Openable isEndToEnd={props.requirements.clientEncrypted}>{children}</Openable>
    </Layout>
  );
}

/** How many files there are, if that is all. */
function filesIn({ requirements: { content } }: OpenProps): number {
  return content?.kind === 'file' ? (content.count ?? 0) : 0;
}

/** What is asked for next, or who has sent what. */
function Title(props: OpenProps) {
  const { sender, codeNeeded } = props.requirements;
  const t = useTexts();
  if (codeNeeded && props.askedFor !== undefined) return <>{t.text('open.codeTitle')}</>;
  const count = filesIn(props);
  const from = sender && <Data>{sender}</Data>;
  if (count > 0)
    return from ? (
      <Sentence of="open.titleFilesFrom" sender={from} count={count} />
    ) : (
      <>{t.text('open.titleFiles', { count })}</>
    );
  return from ? <Sentence of="open.titleFrom" sender={from} /> : <>{t.text('open.title')}</>;
}

/** What is in the letter, as far as whoever has its link may know that, or for whom it is. */
function Content({ requirements, askedFor, ...rest }: OpenProps & BoxAttributes) {
  const { content, codeNeeded, clientEncrypted, passphraseRequired } = requirements;
  const t = useTexts();
  const when = { 'data-when': rest['data-when'] };
  if (codeNeeded && askedFor !== undefined)
    return (
      <LetterContent icon="mail" {...when}>
        <Sentence of="open.codeFor" email={<Data>{askedFor}</Data>} />
      </LetterContent>
    );
  if (codeNeeded)
    return (
      <LetterContent icon="people" {...when}>
        {t.text('open.onlyNamed')}
      </LetterContent>
    );
  if (content === undefined)
    return passphraseRequired && !clientEncrypted ? (
      <LetterContent icon="key" {...when}>
        {t.text('open.behindPassphrase')}
      </LetterContent>
    ) : null;
  const { kind, count = 0, bytes = 0 } = content;
  const what =
    count > 0 ? t.text('script.sharedFiles', { count, size: t.size(bytes) }) : t.text(`kind.${kind}`);
  return (
    <LetterContent icon={KIND_ICONS[count > 0 ? 'file' : kind]} {...when}>
      <span data-without-passphrase>{what}</span>
      {clientEncrypted && (
        <span hidden data-with-passphrase>
          {t.text('open.contentBehindPassphrase', { content: what })}
        </span>
      )}
    </LetterContent>
  );
}

/** Whether what is downloaded here may be saved nowhere, which would be known only after the view. */
function mayLoseFiles({ requirements, visitor }: OpenProps): boolean {
  return requirements.mayHaveFiles && isInsideApp(visitor.userAgent);
}

/** What opens the push; inside of an app one click away, behind the advice to open the link in a browser. */
function InBrowser(props: OpenProps & { children: ComponentChildren }) {
  const { urlToken, requirements, visitor, askedFor, children } = props;
  const { errors } = useForm();
  const t = useTexts();
  if (!mayLoseFiles(props)) return <>{children}</>;
  return (
    <>
      <Banner kind="warning" icon="browser">
        <Sentence of="open.insideApp" b={BOLD} />
      </Banner>
      <div hidden={requirements.clientEncrypted} data-link-for-browser>
        <LinkToCopy
          url={htmlUrl({ retrievalStep: requirements.waitsForClick }, urlToken, visitor.baseUrl)}
          look="primary"
        />
      </div>
      <details class="gap-top" open={askedFor !== undefined || errors !== undefined}>
        <SummaryButton look="quiet">{t.text('open.hereAnyway')}</SummaryButton>
        {children}
      </details>
    </>
  );
}

/** What is left of a push before it is opened. Who has opened it in this tab already is not told that it opens once. */
function Remaining({ remaining, ...rest }: { remaining: RemainingLimits } & BoxAttributes) {
  const { views, until, hoursAfterFirstView: hours } = remaining;
  const t = useTexts();
  const isOnce = views === 1;
  return (
    <Facts {...rest}>
      {isOnce && (
        <Fact icon="flame" isWarning data-when="first">
          <Sentence of="open.once" b={BOLD} />
        </Fact>
      )}
      <Fact icon="eye" hidden={isOnce} data-when={isOnce ? 'opened last sent' : 'first opened last sent'}>
        {t.text('secret.viewsLeft', { views })}
      </Fact>
      {hours !== null && !isOnce && <Fact icon="clock">{t.text('open.firstView', { hours })}</Fact>}
      <Fact icon="clock">
        <TextWithTime of="secret.expires" at={until} format="named" />
      </Fact>
    </Facts>
  );
}

/**
 * The page before an end-to-end encrypted push is opened. A script reads the part of the link that browsers never
 * send, and shows what can be done with it; without a script the page says how to open the push with other programs.
 */
function OpenEncrypted(props: OpenProps) {
  const { urlToken, requirements, visitor, askedFor } = props;
  const { codeNeeded, remaining } = requirements;
  const form = {
    urlToken,
    passphraseRequired: true,
    isClientEncrypted: true,
    isSecondary: mayLoseFiles(props),
  };
  const t = useTexts();
  const seals = (
    <>
      <Wax seal="sealed" data-when="first opened sent" />
      <Wax seal="fault" hidden data-when="incomplete unavailable" />
      <Wax seal="gone" hidden data-when="keyless" />
    </>
  );
  return (
    <OpenLayout {...props}>
      <Letter seal={seals}>
        <noscript>
          <h1>{t.text('endToEnd.noScriptTitle')}</h1>
          <Lede>{t.text('endToEnd.noScript')}</Lede>
          <Unused />
        </noscript>
        <h1 data-when="first opened sent">
          <Title {...props} />
        </h1>
        <Content {...props} data-when="first opened sent" />
        <When states="opened">
          <Banner>{t.text('open.opened')}</Banner>
        </When>
        <When states="sent">
          <Banner kind="warning">{t.text('open.sent')}</Banner>
        </When>
        <DeadEnd state="incomplete" title={t.text('endToEnd.incompleteTitle')}>
          {t.text('endToEnd.incomplete')}
        </DeadEnd>
        <DeadEnd state="keyless" title={t.text('open.openedTitle')}>
          {t.text('endToEnd.keyless')}
        </DeadEnd>
        <DeadEnd state="unavailable" title={t.text('endToEnd.unavailableTitle')}>
          {t.text('endToEnd.unavailable')}
        </DeadEnd>
        <Unused hidden data-when="incomplete unavailable" />
        <Banner kind="warning" hidden data-when-repaired>
          <Sentence of="endToEnd.repaired" b={BOLD} />
        </Banner>
        <div data-when="first opened sent">
          {remaining && <Remaining remaining={remaining} />}
          <InBrowser {...props}>
            {codeNeeded ? <OpenWithCode askedFor={askedFor} {...form} /> : <OpenForm {...form} />}
          </InBrowser>
        </div>
      </Letter>
      <UnderLetter>
        <div data-when="first opened sent">
          <EndToEndSign of="endToEnd.meaning" />
        </div>
        <OpenByCommands jsonUrl={`${visitor.baseUrl}/api/v2/pushes/${urlToken}`} codeNeeded={codeNeeded} />
      </UnderLetter>
    </OpenLayout>
  );
}

/** What a script shows in these states of the page. */
function When({ states, children }: { states: string; children: ComponentChildren }) {
  return (
    <div data-when={states} hidden>
      {children}
    </div>
  );
}

interface DeadEndProps {
  state: string;
  title: string;
  children: ComponentChildren;
}

/** A state in which this page cannot open the push: the headline says so. */
function DeadEnd({ state, title, children }: DeadEndProps) {
  return (
    <>
      <h1 data-when={state} hidden>
        {title}
      </h1>
      <Lede data-when={state} hidden>
        {children}
      </Lede>
    </>
  );
}

/** The command of docs/cli.md, which asks for the link. */
const SEALPUSH_OPEN = 'sealpush open';

/** Commands that compute the proof from the fragment, as docs/end-to-end.md describes it. */
const PROOF = `hex() { od -An -v -tx1 | tr -d ' \\n'; }
key=$(printf %s= "\${fragment#?}" | tr _- /+ | openssl base64 -d -A | hex)
hkdf() { openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt "hexkey:$key" -kdfopt "info:sealpush/e2e/1/$1" -binary HKDF | hex; }
stretched() { openssl kdf -keylen 32 -kdfopt "pass:$passphrase" -kdfopt "hexsalt:$(hkdf salt)" -kdfopt n:131072 -kdfopt r:8 -kdfopt p:1 -binary SCRYPT; }
proof=$(case $fragment in 2*) stretched ;; esac | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(hkdf proof)" -binary | openssl base64 -A | tr /+ _- | tr -d =)
`;

/** Opens a push without this page, for readers who run no scripts or do not trust ours. */
function OpenByCommands({ jsonUrl, codeNeeded }: { jsonUrl: string; codeNeeded: boolean }) {
  const t = useTexts();
  const assignments = `fragment=''  # ${t.text('endToEnd.fragment')}
passphrase=''  # ${t.text('endToEnd.passphraseIf')}
`;
  return (
    <details id="commands" data-when="first opened sent unavailable">
      <summary>
        <Icon name="terminal" size="small" />
        {t.text('endToEnd.commands')}
      </summary>
      <p>
        <Sentence of="endToEnd.sealpush" command={<code {...UNTRANSLATED}>{SEALPUSH_OPEN}</code>} />
      </p>
      <p>{t.text('endToEnd.commandsIntro')}</p>
      <Commands>
        {assignments + PROOF + (codeNeeded ? codeFor(jsonUrl) : '') + retrievalFrom(jsonUrl, codeNeeded)}
      </Commands>
      <p>{t.text('endToEnd.ageAsks')}</p>
      <p>{t.text('endToEnd.agePrints')}</p>
    </details>
  );
}

/** Asks for the code of a recipient, and waits until it is typed. */
function codeFor(jsonUrl: string): string {
  return `read -p 'email: ' email; curl --data-urlencode "email=$email" '${jsonUrl}/code'; read -p 'code: ' code
`;
}

function retrievalFrom(jsonUrl: string, codeNeeded: boolean): string {
  const recipient = codeNeeded ? '-H "X-Push-Recipient: $email" -H "X-Push-Code: $code" ' : '';
  return `curl -H "X-Push-Passphrase: $proof" ${recipient}'${jsonUrl}' > push.json
printf %b "$(sed 's/.*"payload":"\\([^"]*\\)".*/\\1/' push.json)" > secret.age; age -d secret.age
`;
}
