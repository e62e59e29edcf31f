import type { ComponentChildren } from 'preact';
import type { TextKey } from '../texts/en.js';
import { Layout } from './layout.js';
import { useSite } from './site.js';
import { useTexts } from './texts.js';

interface HowItWorksProps {
  version: string;
  ownerViewsCount: boolean;
  /** How long ended pushes with an owner are kept; undefined means forever. */
  retentionDays?: number;
}

const ACCESS = [
  ['how.sender', 'how.senderText'],
  ['how.recipient', 'how.recipientText'],
  ['how.download', 'how.downloadText'],
  ['how.previews', 'how.previewsText'],
  ['how.operatorWho', 'how.operatorText'],
  ['how.thief', 'how.thiefText'],
  ['how.backup', 'how.backupText'],
  ['how.endToEndRecipient', 'how.endToEndRecipientText'],
  ['how.endToEndOperator', 'how.endToEndOperatorText'],
] satisfies [TextKey, TextKey][];

/** Says who can see what, on one page. docs/security.md says the same in full: change both together. */
export function HowItWorks({ version, ownerViewsCount, retentionDays }: HowItWorksProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('how.title')}>
      <h1>{t.text('how.title')}</h1>
      <p class="lede">{t.text('how.intro')}</p>
      <Section heading="how.modes">
        <p>{t.text('how.modesText')}</p>
      </Section>
      <h2>{t.text('how.access')}</h2>
      <dl class="card explained">
        {ACCESS.map(([who, what]) => (
          <>
            <dt>{t.text(who)}</dt>
            <dd>{t.text(what)}</dd>
          </>
        ))}
      </dl>
      <Section heading="how.endToEndLimits">
        <p>{t.text('how.endToEndLimitsText')}</p>
      </Section>
      <Section heading="how.limits">
        <p>{t.text('how.views')}</p>
        <p>{t.text('how.lastFiles')}</p>
        <p>{t.text(ownerViewsCount ? 'how.ownerViews' : 'how.noOwnerViews')}</p>
      </Section>
      <Section heading="how.deletion">
        <p>{t.text('how.deletionText')}</p>
        <p>{t.text('how.remains')}</p>
        <p>
          {retentionDays === undefined
            ? t.text('how.keptForever')
            : t.text('how.keptForDays', { days: retentionDays })}
        </p>
      </Section>
      <Section heading="how.recorded">
        <p>{t.text('how.recordedText')}</p>
      </Section>
      <ThisSite version={version} />
    </Layout>
  );
}

function Section({ heading, children }: { heading: TextKey; children: ComponentChildren }) {
  return (
    <section>
      <h2>{useTexts().text(heading)}</h2>
      {children}
    </section>
  );
}

function ThisSite({ version }: { version: string }) {
  const t = useTexts();
  const { operator, contact } = useSite().brand;
  return (
    <Section heading="how.site">
      <ul>
        {operator !== undefined && <li>{t.text('site.operator', { operator })}</li>}
        {contact !== undefined && (
          <li>
            <a href={contact}>{t.text('site.contact')}</a>
          </li>
        )}
        <li>{t.text('how.version', { version })}</li>
      </ul>
    </Section>
  );
}
