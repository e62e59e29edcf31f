import { HOW_IT_WORKS } from './how-it-works.texts.js';
import { Layout } from './layout.js';
import { useSite } from './site.js';

interface HowItWorksProps {
  version: string;
  ownerViewsCount: boolean;
  /** How long ended pushes with an owner are kept; undefined means forever. */
  retentionDays?: number;
}

/** Says who can see what, on one page. */
export function HowItWorks({ version, ownerViewsCount, retentionDays }: HowItWorksProps) {
  const { title, lede, access, limits, deletion, audit, site } = HOW_IT_WORKS;
  const { operator, contact } = useSite().brand;
  return (
    <Layout title={title}>
      <h1>{title}</h1>
      <p class="lede">{lede}</p>
      <h2>{access.title}</h2>
      <dl class="card explained">
        {access.entries.map(([who, what]) => (
          <>
            <dt>{who}</dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <h2>{limits.title}</h2>
      <Paragraphs
        texts={[...limits.paragraphs, ownerViewsCount ? limits.ownerViewsCount : limits.ownerViewsDoNotCount]}
      />
      <h2>{deletion.title}</h2>
      <Paragraphs
        texts={[
          ...deletion.paragraphs,
          retentionDays === undefined ? deletion.keptForever : deletion.keptForDays(retentionDays),
        ]}
      />
      <h2>{audit.title}</h2>
      <Paragraphs texts={audit.paragraphs} />
      <h2>{site.title}</h2>
      <ul>
        {operator !== undefined && (
          <li>
            {site.operator} {operator}
          </li>
        )}
        {contact !== undefined && (
          <li>
            <a href={contact}>{site.contact}</a>
          </li>
        )}
        <li>
          {site.version} {version}
        </li>
      </ul>
    </Layout>
  );
}

function Paragraphs({ texts }: { texts: readonly string[] }) {
  return (
    <>
      {texts.map((text) => (
        <p>{text}</p>
      ))}
    </>
  );
}
