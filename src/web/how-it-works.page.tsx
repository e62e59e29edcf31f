import { Get } from '@nestjs/common';
import type { VNode } from 'preact';
import { PublicPage } from '../auth/access.decorators.js';
import { contributedMethod, Contributions } from '../platform/contributions/contributions.js';
import { OnGateway } from '../platform/http/gateway.guard.js';
import { Settings } from '../platform/settings/settings.js';
import { VersionService } from '../version/version.service.js';
import { PageResponse, PageController } from './pages/page-controller.js';
import type { TextKey } from '../texts/text-parameters.js';
import { BrowserDrawing, ServerDrawing } from './how-it-works.drawings.js';
import { Section } from './components/card.js';
import { DrawnStep, DrawnSteps, Explained, ExplainedList } from './components/explained.js';
import { Heading } from './components/heading.js';
import { Layout } from './components/layout.js';
import { useSite, useTexts, Data, Sentence } from './components/site.js';

/** Adds a section to the page that says who can see what; null for none. */
export const HowItWorksSection = contributedMethod<() => VNode | null>();

@PageController()
@OnGateway()
export class HowItWorksController {
  constructor(
    private readonly settings: Settings,
    private readonly version: VersionService,
    private readonly contributions: Contributions,
  ) {}

  /** Explains who can see what, and when it is deleted. */
  @Get('how-it-works')
  @PublicPage()
  explain(): PageResponse {
    return new PageResponse(
      <HowItWorks
        version={this.version.describe().application_version}
        endToEnd={this.settings.END_TO_END}
        sections={this.contributions.all(HowItWorksSection).map((section) => section())}
        ownerViewsCount={this.settings.OWNER_VIEWS_COUNT}
        retentionDays={this.settings.RETENTION_DAYS}
      />,
    );
  }
}

interface HowItWorksProps {
  version: string;
  endToEnd: Settings['END_TO_END'];
  /** Of features. */
  sections: (VNode | null)[];
  ownerViewsCount: boolean;
  /** How long ended pushes with an owner are kept; undefined means forever. */
  retentionDays?: number;
}

type Explanation = [who: TextKey, what: TextKey];

const EVERY_ACCESS = [
  ['how.sender', 'how.senderText'],
  ['how.download', 'how.downloadText'],
  ['how.previews', 'how.previewsText'],
] satisfies Explanation[];

/** What else is true of pushes that the server encrypts. */
const SERVER_ACCESS = [
  ['how.recipient', 'how.recipientText'],
  ['how.operatorWho', 'how.operatorText'],
  ['how.thief', 'how.thiefText'],
  ['how.backup', 'how.backupText'],
] satisfies Explanation[];

/** The same for pushes that browsers have encrypted. */
const END_TO_END_ACCESS = [
  ['how.endToEndRecipient', 'how.endToEndRecipientText'],
  ['how.endToEndOperator', 'how.endToEndOperatorText'],
] satisfies Explanation[];

/** Says who can see what, on one page. docs/security.md says the same in full: change both together. */
function HowItWorks({ version, endToEnd, sections, ownerViewsCount, retentionDays }: HowItWorksProps) {
  const t = useTexts();
  const isByBrowser = endToEnd === 'default' || endToEnd === 'required';
  return (
    <Layout title={t.text('how.title')}>
      <Heading title={t.text('how.title')} lede={t.text('how.intro')} />
      <Section title="how.steps">
        <Steps of={isByBrowser ? BROWSER_STEPS : SERVER_STEPS} />
        {endToEnd === 'default' && <p>{t.text('how.orByServer')}</p>}
        {endToEnd === 'offered' && <p>{t.text('how.orByBrowser')}</p>}
      </Section>
      <Section title="how.access">
        {isByBrowser && <EndToEndAccess />}
        <ServerAccess />
        {!isByBrowser && <EndToEndAccess />}
        <h3>{t.text('how.every')}</h3>
        <Explanations of={EVERY_ACCESS} />
      </Section>
      {sections}
      <Section title="how.limits">
        <p>{t.text('how.views')}</p>
        <p>{t.text('how.lastFiles')}</p>
        <p>{t.text(ownerViewsCount ? 'how.ownerViews' : 'how.noOwnerViews')}</p>
      </Section>
      <Section title="how.deletion">
        <p>{t.text('how.deletionText')}</p>
        <p>{t.text('how.remains')}</p>
        <p>
          {retentionDays === undefined
            ? t.text('how.keptForever')
            : t.text('how.keptForDays', { days: retentionDays })}
        </p>
      </Section>
      <Section title="how.recorded">
        <p>{t.text('how.recordedText')}</p>
      </Section>
      <ThisSite version={version} />
    </Layout>
  );
}

interface Step {
  drawing: VNode;
  what: TextKey;
  how: TextKey;
}

const BROWSER_STEPS: Step[] = [
  { drawing: <BrowserDrawing isLocked />, what: 'how.browserEncrypts', how: 'how.browserEncryptsText' },
  { drawing: <ServerDrawing />, what: 'how.serverKeeps', how: 'how.serverKeepsText' },
  { drawing: <BrowserDrawing />, what: 'how.opened', how: 'how.browserDecryptsText' },
];

const SERVER_STEPS: Step[] = [
  { drawing: <BrowserDrawing />, what: 'how.entered', how: 'how.enteredText' },
  { drawing: <ServerDrawing />, what: 'how.serverEncrypts', how: 'how.serverEncryptsText' },
  { drawing: <BrowserDrawing />, what: 'how.opened', how: 'how.serverDecryptsText' },
];

function Steps({ of }: { of: Step[] }) {
  const t = useTexts();
  return (
    <DrawnSteps>
      {of.map(({ drawing, what, how }) => (
        <DrawnStep key={what} drawing={drawing} title={t.text(what)}>
          {t.text(how)}
        </DrawnStep>
      ))}
    </DrawnSteps>
  );
}

function ServerAccess() {
  return (
    <>
      <h3>{useTexts().text('how.byServer')}</h3>
      <Explanations of={SERVER_ACCESS} />
    </>
  );
}

function EndToEndAccess() {
  const t = useTexts();
  return (
    <>
      <h3>{t.text('how.endToEnd')}</h3>
      <p>{t.text('how.endToEndText')}</p>
      <Explanations of={END_TO_END_ACCESS} />
      <p>{t.text('how.endToEndLimits')}</p>
    </>
  );
}

function Explanations({ of }: { of: Explanation[] }) {
  const t = useTexts();
  return (
    <ExplainedList>
      {of.map(([who, what]) => (
        <Explained key={who} term={t.text(who)}>
          {t.text(what)}
        </Explained>
      ))}
    </ExplainedList>
  );
}

function ThisSite({ version }: { version: string }) {
  const t = useTexts();
  const { operator, contact } = useSite().brand;
  return (
    <Section title="how.site">
      <ul>
        {operator !== undefined && (
          <li>
            <Sentence of="site.operator" operator={<Data>{operator}</Data>} />
          </li>
        )}
        {contact !== undefined && (
          <li>
            <a href={contact} rel="noreferrer">
              {t.text('site.contact')}
            </a>
          </li>
        )}
        <li>{t.text('how.version', { version })}</li>
      </ul>
    </Section>
  );
}
