import type { ComponentChildren } from 'preact';
import type { OpeningRefusal } from '../../pushes/push/push.entity.js';
import type { OpenRequirements, RemainingLimits } from '../../pushes/push/pushes.service.js';
import { Layout } from '../components/layout.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { isInsideApp } from '../../platform/http/user-agent.js';
import { htmlUrl } from '../../pushes/push/push.dto.js';
import { LinkToCopy } from '../components/copy.js';
import { useTexts, Sentence, Data, UNTRANSLATED } from '../components/site.js';
import type { FieldErrors } from '../components/fields.js';
import { OpenWithCode } from './code.js';
import { OpenForm } from './open-form.js';
import { TextWithTime, Time, EndToEndSign } from '../components/words.js';

export interface OpenProps {
  urlToken: string;
  requirements: OpenRequirements;
  visitor: Pick<Visitor, 'baseUrl' | 'userAgent'>;
  /** The email address for which this browser has asked for a code. */
  askedFor?: string;
  errors?: FieldErrors;
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
    <Layout title={title} script="open" languageForm={{ next: `/p/${urlToken}` }} isForRecipient>
      <div class="recipient">
        <h1>{title}</h1>
        <p class="lede">
          {isElsewhere ? (
            t.text('open.otherNetwork')
          ) : (
            <TextWithTime of="open.notYet" at={refusal.opensAt} format="weekday" />
          )}
        </p>
      </div>
    </Layout>
  );
}

/** What only its owner can open, who is the visitor: it costs no view, so a script opens it at once. */
function OpenOwn({ urlToken, requirements }: OpenProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('answer.openTitle')} script="open">
      <div class="recipient">
        <Openable>
          <h1>{t.text('answer.openTitle')}</h1>
          {requirements.clientEncrypted && (
            <noscript>
              <p class="lede">{t.text('request.keyNeedsScript')}</p>
            </noscript>
          )}
          <OpenForm urlToken={urlToken} passphraseRequired={false} isSentByItself isFree />
        </Openable>
      </div>
    </Layout>
  );
}

function OpenPush(props: OpenProps) {
  const { urlToken, requirements, errors } = props;
  const { waitsForClick, passphraseRequired, codeNeeded, remaining } = requirements;
  const t = useTexts();
  return (
    <Layout title={t.text('open.title')} script="open" isForRecipient>
      <div class="recipient">
        <Openable>
          <h1>
            <FromWhom {...requirements} />
          </h1>
          {passphraseRequired && (
            <p class="lede" data-when="first">
              {t.text('open.introPassphrase')}
            </p>
          )}
          <When states="opened last">{t.text('open.opened')}</When>
          <When states="sent">{t.text('open.sent')}</When>
          {remaining && <RemainingViews remaining={remaining} />}
          <InBrowser {...props}>
            {codeNeeded ? (
              <OpenWithCode {...props} passphraseRequired={passphraseRequired} />
            ) : (
              <OpenForm
                urlToken={urlToken}
                passphraseRequired={passphraseRequired}
                isSentByItself={!waitsForClick && !passphraseRequired && !mayLoseFiles(props)}
                errors={errors}
              />
            )}
          </InBrowser>
        </Openable>
      </div>
    </Layout>
  );
}

/** Whether what is downloaded here may be saved nowhere, which would be known only after the view. */
function mayLoseFiles({ requirements, visitor }: OpenProps): boolean {
  return requirements.mayHaveFiles && isInsideApp(visitor.userAgent);
}

/** What opens the push; inside of an app one click away, behind the advice to open the link in a browser. */
function InBrowser(props: OpenProps & { children: ComponentChildren }) {
  const { urlToken, requirements, visitor, askedFor, errors, children } = props;
  const t = useTexts();
  if (!mayLoseFiles(props)) return <>{children}</>;
  return (
    <>
      <section class="card">
        <h2>{t.text('open.insideAppTitle')}</h2>
        <p>{t.text('open.insideApp')}</p>
        <div hidden={requirements.clientEncrypted} data-link-for-browser>
          <LinkToCopy
            url={htmlUrl({ retrievalStep: requirements.waitsForClick }, urlToken, visitor.baseUrl)}
          />
        </div>
      </section>
      <details class="fold" open={askedFor !== undefined || errors !== undefined}>
        <summary>{t.text('open.hereAnyway')}</summary>
        {children}
      </details>
    </>
  );
}

function FromWhom({ sender }: OpenRequirements) {
  const t = useTexts();
  if (sender === undefined) return <>{t.text('open.title')}</>;
  return <Sentence of="open.titleFrom" sender={<Data>{sender}</Data>} />;
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
      <div hidden data-swapped>
        <h1 class="fault">{t.text('answer.swappedTitle')}</h1>
        <p class="lede">{t.text('open.swapped')}</p>
      </div>
    </>
  );
}

/** What is left of a push before it is opened. Who has opened it in this tab already is not told that it opens once. */
function RemainingViews({ remaining }: { remaining: RemainingLimits }) {
  const { views, until, hoursAfterFirstView: hours } = remaining;
  const t = useTexts();
  const time = <Time at={until} format="weekday" />;
  const left = <Sentence of="secret.remaining" views={views} time={time} />;
  if (views > 1)
    return (
      <p class="lede remaining">
        {left}
        {hours !== null && ` ${t.text('open.firstView', { hours })}`}
      </p>
    );
  return (
    <>
      <p class="lede remaining" data-when="first">
        <Sentence of="open.once" time={time} />
      </p>
      <p class="lede remaining" data-when="opened last sent" hidden>
        {left}
      </p>
    </>
  );
}

/**
 * The page before an end-to-end encrypted push is opened. A script reads the part of the link that browsers never
 * send, and shows what can be done with it; without a script the page says how to open the push with other programs.
 */
function OpenEncrypted(props: OpenProps) {
  const { urlToken, requirements, visitor, errors } = props;
  const t = useTexts();
  return (
    <Layout title={t.text('open.title')} script="open" isForRecipient>
      <div class="recipient">
        <Openable isEndToEnd>
          <noscript>
            <h1 class="fault">{t.text('endToEnd.noScriptTitle')}</h1>
            <p class="lede">{t.text('endToEnd.noScript')}</p>
          </noscript>
          <h1 data-when="first opened sent">
            <FromWhom {...requirements} />
          </h1>
          <When states="opened">{t.text('open.opened')}</When>
          <When states="sent">{t.text('open.sent')}</When>
          <DeadEnd state="incomplete" title={t.text('endToEnd.incompleteTitle')} isFault>
            {t.text('endToEnd.incomplete')}
          </DeadEnd>
          <DeadEnd state="keyless" title={t.text('open.openedTitle')}>
            {t.text('endToEnd.keyless')}
          </DeadEnd>
          <DeadEnd state="unavailable" title={t.text('endToEnd.unavailableTitle')} isFault>
            {t.text('endToEnd.unavailable')}
          </DeadEnd>
          <p class="alert" data-when-repaired hidden>
            {t.text('endToEnd.repaired')}
          </p>
          <div data-when="first opened sent">
            {requirements.remaining && <RemainingViews remaining={requirements.remaining} />}
            <InBrowser {...props}>
              {requirements.codeNeeded ? (
                <OpenWithCode {...props} passphraseRequired isClientEncrypted />
              ) : (
                <OpenForm urlToken={urlToken} passphraseRequired isClientEncrypted errors={errors} />
              )}
            </InBrowser>
          </div>
          <EndToEndSign />
          <OpenByCommands
            jsonUrl={`${visitor.baseUrl}/api/v2/pushes/${urlToken}`}
            codeNeeded={requirements.codeNeeded}
          />
        </Openable>
      </div>
    </Layout>
  );
}

/** What a script shows in these states of the page. */
function When({ states, children }: { states: string; children: ComponentChildren }) {
  return (
    <p class="lede" data-when={states} hidden>
      {children}
    </p>
  );
}

interface DeadEndProps {
  state: string;
  title: string;
  isFault?: boolean;
  children: ComponentChildren;
}

/** A state in which this page cannot open the push: the headline says so. */
function DeadEnd({ state, title, isFault = false, children }: DeadEndProps) {
  return (
    <>
      <h1 class={isFault ? 'fault' : undefined} data-when={state} hidden>
        {title}
      </h1>
      <When states={state}>{children}</When>
    </>
  );
}

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
    <details class="commands" id="commands" data-when="first opened sent unavailable">
      <summary>{t.text('endToEnd.commands')}</summary>
      <p>{t.text('endToEnd.commandsIntro')}</p>
      <pre tabIndex={0} {...UNTRANSLATED}>
        {assignments + PROOF + (codeNeeded ? codeFor(jsonUrl) : '') + retrievalFrom(jsonUrl, codeNeeded)}
      </pre>
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
