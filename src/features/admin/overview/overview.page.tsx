import { InMenu } from '../../../web/pages/menus.js';
import { Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { ComponentChildren, VNode } from 'preact';
import { AdministratorPage } from '../../../auth/access.decorators.js';
import type { MailError, Overview as OverviewOf } from './overview.service.js';
import { OverviewService } from './overview.service.js';
import { OverviewNotice } from '../../../web/pages/overview-notices.js';
import { PageController, PageResponse } from '../../../web/pages/page-controller.js';
import { Contributions } from '../../../platform/contributions/contributions.js';
import type { Totals } from './totals.service.js';
import type { TextKey } from '../../../texts/text-parameters.js';
import type { Translator } from '../../../texts/translator.js';
import { Banner } from '../../../web/components/banner.js';
import { Card, HealthRow, Section, TitledRows } from '../../../web/components/card.js';
import { SegmentLink, SegmentLinks } from '../../../web/components/choices.js';
import { Figure, Figures } from '../../../web/components/figures.js';
import { SearchField, SearchForm } from '../../../web/components/list-tools.js';
import { Layout } from '../../../web/components/layout.js';
import { Split } from '../../../web/components/split.js';
import { Cell, Row, RowTitle, Table } from '../../../web/components/table.js';
import { Link, useTexts, Data, UNTRANSLATED } from '../../../web/components/site.js';
import { DOT, TextWithTime, Time } from '../../../web/components/words.js';
import { AdministrationHeading } from '../../../web/components/navigation.js';
import { UNLIMITED } from '../../../platform/settings/parsers.js';
import type { ShownSetting } from '../../../platform/settings/shown-settings.js';

@PageController()
export class OverviewController {
  constructor(
    private readonly overview: OverviewService,
    private readonly contributions: Contributions,
  ) {}

  /** The start page of administrators. It shows the settings that were changed, all, or those that a text is in. */
  @Get('admin')
  @InMenu({
    main: { text: 'site.administration', position: 50, icon: 'gear' },
    administration: { text: 'overview.title', position: 10 },
  })
  @AdministratorPage()
  async show(
    @Req() request: Request,
    @Query('settings') which: unknown,
    @Query('find') find: unknown,
  ): Promise<PageResponse> {
    const filter = { isAll: which === 'all', find: typeof find === 'string' ? find.trim() : '' };
    const notices = await Promise.all(
      this.contributions.all(OverviewNotice).map((notice) => notice(request)),
    );
    const overview = await this.overview.describe();
    return new PageResponse(<Overview overview={overview} filter={filter} notices={notices} />);
  }
}

/** Which settings are shown. */
interface SettingsFilter {
  isAll: boolean;
  /** A part of their names. */
  find: string;
}

interface OverviewProps {
  overview: OverviewOf;
  filter: SettingsFilter;
  /** Of features. */
  notices: (VNode | null)[];
}

/** The start page of administrators. */
function Overview({ overview, filter, notices }: OverviewProps) {
  return (
    <Layout title={useTexts().text('overview.title')} width="list">
      <AdministrationHeading />
      {notices}
      {overview.totals ? <Stored totals={overview.totals} overview={overview} /> : <TotalsPending />}
      <div class="gap-top">
        <Split aside={<Health overview={overview} />}>
          <SettingsInForce settings={overview.settings} filter={filter} />
        </Split>
      </div>
      {overview.failedMessages.length > 0 && <FailedMessages messages={overview.failedMessages} />}
    </Layout>
  );
}

function Stored({ totals, overview: { diskSpace } }: { totals: Totals; overview: OverviewOf }) {
  const { accounts, pushes, files } = totals;
  const t = useTexts();
  const number = (count: number) => t.text('overview.number', { count });
  return (
    <>
      <Figures>
        <Figure
          of="overview.active"
          more={t.text('overview.activeMore', { ended: pushes.ended, created: pushes.createdInDay })}
        >
          {number(pushes.active)}
        </Figure>
        <Figure
          of="overview.views"
          more={t.text('overview.viewsMore', { count: pushes.active + pushes.ended })}
        >
          {number(pushes.views)}
        </Figure>
        <Figure
          of="overview.accounts"
          more={t.text('overview.accountsMore', { disabled: accounts.disabled })}
        >
          {number(accounts.total)}
        </Figure>
        <Figure
          of="overview.files"
          more={
            diskSpace
              ? t.text('overview.filesFree', { count: files.total, free: t.size(diskSpace.free) })
              : t.text('overview.filesMore', { count: files.total })
          }
        >
          {t.size(files.bytes)}
        </Figure>
      </Figures>
    </>
  );
}

function TotalsPending() {
  const t = useTexts();
  return (
    <Banner role="status">
      {t.text('overview.beingCounted')} <Link to="/admin">{t.text('overview.reload')}</Link>
    </Banner>
  );
}

/** What needs attention comes first. */
function Health({ overview }: { overview: OverviewOf }) {
  const t = useTexts();
  const rows = [emailRow, jobsRow, storageRow, databaseRow].map((row) => row(overview, t));
  return (
    <>
      <TitledRows title="overview.health">
        {rows
          .toSorted((one, other) => Number(one.isInOrder !== false) - Number(other.isInOrder !== false))
          .map(({ title, details, ...row }) => (
            <HealthRow key={title} title={t.text(title)} {...row}>
              {details}
            </HealthRow>
          ))}
      </TitledRows>
      <Card title="overview.version" isTitleHidden>
        <p class="small quiet">
          {`Sealpush ${overview.version} · Node.js ${overview.nodeVersion}${DOT}`}
          <TextWithTime of="overview.runningSince" at={overview.startedAt} format="short" />
        </p>
        {overview.totals && (
          <p class="small quiet">
            <TextWithTime of="overview.countedAt" at={overview.totals.countedAt} format="short" />
          </p>
        )}
      </Card>
    </>
  );
}

interface HealthOf {
  title: TextKey;
  /** Undefined while that is not known. */
  isInOrder?: boolean;
  state: ComponentChildren;
  details?: ComponentChildren;
}

/** Of mails and calls of webhooks. No message is named by what it contains or who it is for. */
function emailRow({ totals, mailError }: OverviewOf, t: Translator): HealthOf {
  const { waiting = 0, failed = 0 } = totals?.messages ?? {};
  return {
    title: 'overview.messages',
    isInOrder: failed === 0 && !mailError,
    state: (
      <>
        {t.text('overview.messagesOf', { waiting, failed })}
        {mailError && (
          <>
            {DOT}
            <Reason of={mailError} />
          </>
        )}
      </>
    ),
  };
}

/** Of the process that has sent the page: other processes have their own. */
function jobsRow({ jobs }: OverviewOf, t: Translator): HealthOf {
  const hasFailed = ({ failedAt, succeededAt }: OverviewOf['jobs'][number]) =>
    failedAt !== undefined && (succeededAt === undefined || failedAt > succeededAt);
  const ran = jobs.filter(({ succeededAt }) => succeededAt).length;
  return {
    title: 'overview.jobs',
    isInOrder: jobs.some(hasFailed) ? false : ran > 0 || undefined,
    state: t.text('overview.jobsRan', { ran, count: jobs.length }),
    details: (
      <ul class="stack">
        {jobs.map(({ title, succeededAt, failedAt }) => (
          <li key={title}>
            <strong>{t.text(title)}</strong>{' '}
            {succeededAt ? (
              <TextWithTime of="overview.succeeded" at={succeededAt} format="short" />
            ) : (
              t.text('overview.neverRun')
            )}
            {failedAt && (
              <>
                {' '}
                <TextWithTime of="overview.failed" at={failedAt} format="short" />
              </>
            )}
          </li>
        ))}
      </ul>
    ),
  };
}

function storageRow({ storage, diskSpace }: OverviewOf, t: Translator): HealthOf {
  const state = diskSpace
    ? t.text('overview.diskOf', {
        free: t.size(diskSpace.free),
        total: t.size(diskSpace.total),
        reserve: t.size(diskSpace.reserve),
      })
    : t.text(storage === 's3' ? 'overview.onS3' : 'overview.onDisk');
  return {
    title: 'overview.storage',
    isInOrder: !diskSpace || diskSpace.free > diskSpace.reserve,
    state,
  };
}

function databaseRow({ database: { engine, version, bytes } }: OverviewOf, t: Translator): HealthOf {
  return {
    title: 'overview.database',
    isInOrder: true,
    state: (
      <>
        <Data>{`${engine} ${version}`}</Data>
        {bytes !== undefined && `${DOT}${t.size(bytes)}`}
      </>
    ),
  };
}

/** What a server said, as it said it, or a code. */
function Reason({ of: { error, reason } }: { of: MailError }) {
  return <bdi {...UNTRANSLATED}>{reason ?? error}</bdi>;
}

function FailedMessages({ messages }: { messages: OverviewOf['failedMessages'] }) {
  return (
    <Section title="overview.lastFailed">
      <Table
        caption="overview.lastFailed"
        columns={[
          { text: 'overview.message' },
          { text: 'overview.error', shownAt: 'wide' },
          { text: 'audit.when', shownAt: 'wide' },
        ]}
      >
        {messages.map(({ id, channel, kind, endedAt, ...why }) => {
          const time = endedAt !== null && <Time at={endedAt} format="recent" />;
          return (
            <Row
              key={id}
              title={
                <RowTitle>
                  <span {...UNTRANSLATED}>{`${channel}: ${kind}`}</span>
                </RowTitle>
              }
              line={
                <>
                  {time}
                  {DOT}
                  <Reason of={why} />
                </>
              }
            >
              <Cell>
                <Reason of={why} />
              </Cell>
              <Cell isQuiet>{time}</Cell>
            </Row>
          );
        })}
      </Table>
    </Section>
  );
}

function SettingsInForce({ settings, filter }: { settings: ShownSetting[]; filter: SettingsFilter }) {
  const t = useTexts();
  const changed = settings.filter(({ isSet }) => isSet);
  const wanted = filter.find.toUpperCase().replaceAll(/[\s-]+/g, '_');
  const shown = (filter.isAll || wanted ? settings : changed).filter(({ name }) => name.includes(wanted));
  return (
    <Card title="overview.settings">
      <SearchForm to="/admin">
        <SegmentLinks label="overview.whichSettings">
          <SegmentLink to="/admin" isCurrent={!filter.isAll && !wanted} count={changed.length}>
            {t.text('overview.changed')}
          </SegmentLink>
          <SegmentLink to="/admin?settings=all" isCurrent={filter.isAll && !wanted} count={settings.length}>
            {t.text('overview.all')}
          </SegmentLink>
        </SegmentLinks>
        <SearchField name="find" label="overview.findSetting" value={filter.find} />
      </SearchForm>
      {shown.length === 0 ? (
        <p class="quiet" role="status">
          {t.text(wanted ? 'overview.noSetting' : 'overview.nothingChanged')}
        </p>
      ) : (
        <Table
          caption="overview.settings"
          columns={[
            { text: 'overview.setting' },
            { text: 'overview.value', shownAt: 'wide' },
            { text: 'overview.default', shownAt: 'wide' },
          ]}
          isWithin
        >
          {shown.map((setting) => (
            <SettingRow key={setting.name} setting={setting} />
          ))}
        </Table>
      )}
    </Card>
  );
}

function SettingRow({ setting: { name, value, standard, isSet } }: { setting: ShownSetting }) {
  const t = useTexts();
  const now = value ? (
    <Value of={value} name={name} />
  ) : (
    t.text(isSet ? 'overview.hidden' : 'overview.notSet')
  );
  return (
    <Row
      title={
        <RowTitle>
          <code {...UNTRANSLATED}>{name}</code>
        </RowTitle>
      }
      line={now}
    >
      <Cell>{now}</Cell>
      <Cell isQuiet>{standard ? <Value of={standard} name={name} /> : t.text('overview.notSet')}</Cell>
    </Row>
  );
}

const UNITS: [RegExp, 'home.days' | 'home.viewsChoice'][] = [
  [/(?:^|_)DAYS(?:_|$)/, 'home.days'],
  [/(?:^|_)VIEWS(?:_|$)/, 'home.viewsChoice'],
];

/** In words, and numbers with the unit that the name of the setting says. */
function Value({ of, name }: { of: string; name: string }) {
  const t = useTexts();
  if (of === 'true' || of === 'false') return <>{t.text(of === 'true' ? 'row.on' : 'row.off')}</>;
  if (of === UNLIMITED) return <>{t.text('overview.noLimit')}</>;
  if (/^\d+$/.test(of)) {
    const count = Number(of);
    if (/(?:SIZE|BYTES)(?:_|$)/.test(name) && !name.includes('POOL')) return <>{t.size(count)}</>;
    const [, unit] = UNITS.find(([pattern]) => pattern.test(name)) ?? [];
    if (unit) return <>{t.text(unit, { count })}</>;
  }
  return <Data>{of}</Data>;
}
