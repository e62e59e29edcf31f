import { InMenu } from '../../../web/pages/menus.js';
import { Get } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { AdministratorPage } from '../../../auth/access.decorators.js';
import type { MailError, Overview as OverviewOf } from './overview.service.js';
import { OverviewService } from './overview.service.js';
import { PageController, PageResponse } from '../../../web/pages/page-controller.js';
import type { Totals } from './totals.js';
import type { TextKey } from '../../../texts/text-parameters.js';
import { Table } from '../../../web/components/table.js';
import { Layout } from '../../../web/components/layout.js';
import { Link, useTexts, Data, UNTRANSLATED } from '../../../web/components/site.js';
import { TextWithTime, Time } from '../../../web/components/words.js';
import { AdministrationHeading } from '../../../web/components/navigation.js';
import type { ShownSetting } from '../../../platform/settings/shown-settings.js';

@PageController()
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  /** The start page of administrators. */
  @Get('admin')
  @InMenu({
    main: { text: 'site.administration', position: 50 },
    administration: { text: 'overview.title', position: 10 },
  })
  @AdministratorPage()
  async show(): Promise<PageResponse> {
    return new PageResponse(<Overview overview={await this.overview.describe()} />);
  }
}

/** The start page of administrators. */
function Overview({ overview }: { overview: OverviewOf }) {
  const t = useTexts();
  return (
    <Layout title={t.text('overview.title')}>
      <AdministrationHeading />
      {overview.totals ? <Stored totals={overview.totals} /> : <TotalsPending />}
      <Storage overview={overview} />
      <Versions overview={overview} />
      <Jobs overview={overview} />
      <Messages overview={overview} />
      <SettingsInForce settings={overview.settings} />
    </Layout>
  );
}

function Stored({ totals: { accounts, pushes, files, countedAt } }: { totals: Totals }) {
  const t = useTexts();
  const number = (count: number) => t.text('overview.number', { count });
  return (
    <>
      <Figures heading="overview.stored">
        <Figure of="overview.accounts">{t.text('overview.accountsOf', accounts)}</Figure>
        <Figure of="overview.active">{number(pushes.active)}</Figure>
        <Figure of="overview.ended">{number(pushes.ended)}</Figure>
        <Figure of="overview.createdInDay">{number(pushes.createdInDay)}</Figure>
        <Figure of="overview.createdInWeek">{number(pushes.createdInWeek)}</Figure>
        <Figure of="overview.views">{number(pushes.views)}</Figure>
        <Figure of="overview.files">
          {t.text('overview.filesOf', { count: files.total, size: t.size(files.bytes) })}
        </Figure>
      </Figures>
      <p class="hint">
        <TextWithTime of="overview.countedAt" at={countedAt} />
      </p>
    </>
  );
}

function TotalsPending() {
  const t = useTexts();
  return (
    <section>
      <h2>{t.text('overview.stored')}</h2>
      <p class="alert" role="status">
        {t.text('overview.beingCounted')} <Link to="/admin">{t.text('overview.reload')}</Link>
      </p>
    </section>
  );
}

function Storage({ overview: { storage, diskSpace, database } }: { overview: OverviewOf }) {
  const t = useTexts();
  return (
    <Figures heading="overview.storage">
      <Figure of="overview.files">{t.text(storage === 's3' ? 'overview.onS3' : 'overview.onDisk')}</Figure>
      {diskSpace && (
        <>
          <Figure of="overview.free">
            {t.text('overview.freeOf', { free: t.size(diskSpace.free), total: t.size(diskSpace.total) })}
          </Figure>
          <Figure of="overview.reserve">{t.size(diskSpace.reserve)}</Figure>
        </>
      )}
      {database.bytes !== undefined && <Figure of="overview.databaseSize">{t.size(database.bytes)}</Figure>}
    </Figures>
  );
}

function Versions({ overview: { version, nodeVersion, database, startedAt } }: { overview: OverviewOf }) {
  return (
    <Figures heading="overview.version">
      <Figure of="overview.sealpush">{version}</Figure>
      <Figure of="overview.node">{nodeVersion}</Figure>
      <Figure of="overview.database">{`${database.engine} ${database.version}`}</Figure>
      <Figure of="overview.schema">{database.schema}</Figure>
      <Figure of="overview.startedAt">
        <Time at={startedAt} />
      </Figure>
    </Figures>
  );
}

const FAILED_COLUMNS = ['audit.when', 'overview.message', 'overview.error'] as const;

/** No message is named by what it contains or who it is for. */
function Messages({ overview: { totals, failedMessages, mailError } }: { overview: OverviewOf }) {
  const t = useTexts();
  const number = (count = 0) => t.text('overview.number', { count });
  return (
    <>
      <Figures heading="overview.messages">
        <Figure of="overview.messagesWaiting">{number(totals?.messages.waiting)}</Figure>
        <Figure of="overview.messagesFailed">{number(totals?.messages.failed)}</Figure>
        {mailError && (
          <Figure of="overview.mailError">
            <Reason of={mailError} />
          </Figure>
        )}
      </Figures>
      {failedMessages.length > 0 && (
        <section class="card">
          <h3>{t.text('overview.lastFailed')}</h3>
          <Table headings={FAILED_COLUMNS} class="events listing">
            {failedMessages.map(({ id, channel, kind, endedAt, ...why }) => (
              <tr key={id} role="row">
                <td role="cell" class="when">
                  {endedAt !== null && <Time at={endedAt} />}
                </td>
                <td role="cell" {...UNTRANSLATED}>{`${channel}: ${kind}`}</td>
                <td role="cell" class="subject">
                  <Reason of={why} />
                </td>
              </tr>
            ))}
          </Table>
        </section>
      )}
    </>
  );
}

/** What a server said, as it said it, or a code. */
function Reason({ of: { error, reason } }: { of: MailError }) {
  return <bdi {...UNTRANSLATED}>{reason ?? error}</bdi>;
}

function Jobs({ overview: { jobs } }: { overview: OverviewOf }) {
  const t = useTexts();
  return (
    <>
      <Figures heading="overview.jobs">
        {jobs.map(({ title, succeededAt, failedAt }) => (
          <Figure key={title} of={title}>
            {succeededAt ? (
              <TextWithTime of="overview.succeeded" at={succeededAt} />
            ) : (
              t.text('overview.neverRun')
            )}
            {failedAt && (
              <strong class="bad">
                {' '}
                <TextWithTime of="overview.failed" at={failedAt} />
              </strong>
            )}
          </Figure>
        ))}
      </Figures>
      <p class="hint">{t.text('overview.jobsHint')}</p>
    </>
  );
}

/** A card with a heading and figures. */
function Figures({ heading, children }: { heading: TextKey; children: ComponentChildren }) {
  return (
    <section>
      <h2>{useTexts().text(heading)}</h2>
      <dl class="card figures">{children}</dl>
    </section>
  );
}

function Figure({ of, children }: { of: TextKey; children: ComponentChildren }) {
  return (
    <div>
      <dt>{useTexts().text(of)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const COLUMNS = ['overview.setting', 'overview.value', 'overview.origin'] as const;

function SettingsInForce({ settings }: { settings: ShownSetting[] }) {
  const t = useTexts();
  return (
    <section>
      <h2>{t.text('overview.settings')}</h2>
      <p>{t.text('overview.settingsIntro')}</p>
      <Table headings={COLUMNS} class="events settings">
        {settings.map((setting) => (
          <Row key={setting.name} setting={setting} />
        ))}
      </Table>
    </section>
  );
}

function Row({ setting: { name, value, isSet } }: { setting: ShownSetting }) {
  const t = useTexts();
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <code {...UNTRANSLATED}>{name}</code>
      </th>
      <td role="cell">
        {value ? <Data>{value}</Data> : t.text(isSet ? 'overview.hidden' : 'overview.none')}
      </td>
      <td role="cell">
        {isSet ? (
          <strong>{t.text('overview.set')}</strong>
        ) : (
          t.text(value ? 'overview.default' : 'overview.notSet')
        )}
      </td>
    </tr>
  );
}
