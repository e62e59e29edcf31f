import { InMenu } from '../../web/pages/menus.js';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdministratorPage } from '../../auth/access.decorators.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import type { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import type { InstanceAuditKind } from '../../platform/instance-audit/instance-audit-kinds.js';
import { auditKindText, instanceAuditKinds } from '../../platform/instance-audit/instance-audit-kinds.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { AccountQueues, QueuedByAccount } from '../../platform/limits/account-queues.js';
import { CloseSignal } from '../../platform/http/close-signal.js';
import type { LogFormat } from '../../platform/http/log-lines.js';
import { logHead, logLines } from '../../platform/http/log-lines.js';
import { StreamsResponse } from '../../platform/limits/streamed-responses.js';
import {
  INSTANCE_AUDIT_COLUMNS,
  instanceAuditLine,
} from '../../platform/instance-audit/instance-audit-line.js';
import { ReadsCountedAsPages } from '../../platform/limits/rate-limit.guard.js';
import type { User } from '../../auth/entities/user.entity.js';
import { LogLinks, readableOf, requestedFormat, sendLog } from '../../web/pages/log-download.js';
import { CurrentUser } from '../../web/pages/parameters.js';
import { PageController, PageResponse } from '../../web/pages/page-controller.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { AuditClient } from '../../web/components/audit-client.js';
import { Button } from '../../web/components/button.js';
import { Empty } from '../../web/components/empty.js';
import { PickOne } from '../../web/components/fields.js';
import { SearchForm } from '../../web/components/list-tools.js';
import { Cell, LogEvent, Phrase, Row, Status, Table } from '../../web/components/table.js';
import { Layout } from '../../web/components/layout.js';
import { PagesOfList } from '../../web/components/pages-of-list.js';
import { useTexts, Data, Sentence, UNTRANSLATED } from '../../web/components/site.js';
import { catalogueOf } from '../../texts/catalogue.js';
import type { Translator } from '../../texts/translator.js';
import { DOT, Time } from '../../web/components/words.js';
import { AdministrationHeading } from '../../web/components/navigation.js';

@PageController()
export class InstanceAuditController {
  constructor(private readonly audit: InstanceAudit) {}

  /** What accounts, administrators, commands and the service did, newest first; an unknown kind is none. */
  @Get('admin/audit')
  @InMenu({ administration: { text: 'instanceAudit.title', position: 40 } })
  @QueuedByAccount()
  @AdministratorPage()
  async show(@Query('page') page: unknown, @Query('kind') wanted: unknown): Promise<PageResponse> {
    const kind = kindOf(wanted);
    const list = await this.audit.list(ListPage.parse(page), kind);
    return new PageResponse(<InstanceAuditPage list={list} kind={kind} />);
  }
}

/** The log as a file. */
@Controller()
@ReadsCountedAsPages()
export class InstanceAuditDownloadController {
  constructor(
    private readonly audit: InstanceAudit,
    private readonly queues: AccountQueues,
  ) {}

  /** With the kind that the page shows, oldest first. */
  @Get('admin/audit/download')
  @AdministratorPage()
  @StreamsResponse()
  async download(
    @Query('kind') wanted: unknown,
    @CurrentUser() { id }: User,
    @CloseSignal() signal: AbortSignal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const format = requestedFormat(request);
    const kind = kindOf(wanted);
    await this.queues.run(id, signal, () => this.audit.record('audit_exported'));
    const content = await readableOf(
      this.texts(format, kind, (read) => this.queues.proceed(id, signal, read)),
    );
    await sendLog(content, { name: 'audit-log', format, response });
  }

  /** @param inTurn reads a batch when it is the turn of the account */
  private async *texts(
    format: LogFormat,
    kind: InstanceAuditKind | undefined,
    inTurn: (read: () => Promise<InstanceAuditEntry[]>) => Promise<InstanceAuditEntry[]>,
  ): AsyncGenerator<string> {
    let head = logHead(format, INSTANCE_AUDIT_COLUMNS);
    for (let last = ''; ;) {
      const entries = await inTurn(() => this.audit.batchAfter(last, { kind }));
      const text = head + logLines(format, entries.map(instanceAuditLine), INSTANCE_AUDIT_COLUMNS);
      if (text !== '') yield text;
      if (entries.length === 0) return;
      head = '';
      last = entries.at(-1)?.id ?? last;
    }
  }
}

/** An unknown kind is none. */
function kindOf(wanted: unknown): InstanceAuditKind | undefined {
  return instanceAuditKinds().find((known) => known === wanted);
}

interface InstanceAuditPageProps {
  list: UncountedPage<InstanceAuditEntry>;
  /** The only kind that is shown. */
  kind?: InstanceAuditKind;
}

/** The audit log of the instance. */
function InstanceAuditPage({ list: { rows: entries, page, hasNext }, kind }: InstanceAuditPageProps) {
  const t = useTexts();
  const filter = kind === undefined ? '' : `kind=${kind}&`;
  return (
    <Layout title={t.text('instanceAudit.title')} width="list">
      <AdministrationHeading />
      <p class="quiet">{t.text('instanceAudit.intro')}</p>
      <div class="gap-top">
        <Filter kind={kind} />
      </div>
      {entries.length === 0 ? (
        <Empty icon="search" title={t.text('instanceAudit.none')}>
          {t.text('instanceAudit.kept')}
        </Empty>
      ) : (
        <Entries entries={entries} />
      )}
      <PagesOfList page={page} hasNext={hasNext} to={(number) => `/admin/audit?${filter}page=${number}`} />
    </Layout>
  );
}

function Filter({ kind: chosen }: { kind?: InstanceAuditKind }) {
  const t = useTexts();
  return (
    <SearchForm to="/admin/audit">
      <PickOne name="kind" aria-label={t.text('instanceAudit.kind')}>
        <option value="">{t.text('instanceAudit.allKinds')}</option>
        {instanceAuditKinds().map((kind) => (
          <option key={kind} value={kind} selected={kind === chosen}>
            {kindIn(kind, t)}
          </option>
        ))}
      </PickOne>
      <Button>{t.text('filter.submit')}</Button>
      <LogLinks to={`/admin/audit/download${chosen === undefined ? '' : `?kind=${chosen}`}`} />
    </SearchForm>
  );
}

function kindIn(kind: InstanceAuditKind, t: Translator): string {
  const text = auditKindText(kind);
  return text === null ? kind : t.text(text);
}

const COLUMNS = [
  { text: 'audit.what' },
  { text: 'audit.when', shownAt: 'wide' },
  { text: 'instanceAudit.by', shownAt: 'wide' },
  { text: 'audit.browser', shownAt: 'desk' },
  { text: 'audit.ip', shownAt: 'desk' },
] as const;

function Entries({ entries }: { entries: InstanceAuditEntry[] }) {
  return (
    <Table caption="instanceAudit.title" columns={COLUMNS} isLog>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </Table>
  );
}

function Entry({ entry }: { entry: InstanceAuditEntry }) {
  const { createdAt, ip, userAgent } = entry;
  const time = (
    <Phrase>
      <Time at={createdAt} format="recent" />
    </Phrase>
  );
  const address = ip !== '' && <code {...UNTRANSLATED}>{ip}</code>;
  return (
    <Row
      title={<Event entry={entry} />}
      line={
        <>
          {time}
          {DOT}
          <ActorName entry={entry} />
          {address && (
            <>
              {DOT}
              {address}
            </>
          )}
        </>
      }
    >
      <Cell isQuiet>{time}</Cell>
      <Cell>
        <ActorName entry={entry} />
      </Cell>
      <Cell shownAt="desk" isQuiet>
        {ip !== '' && <AuditClient entry={{ userAgent, referrer: '' }} />}
      </Cell>
      <Cell shownAt="desk">{address}</Cell>
    </Row>
  );
}

function Event({ entry: { kind, subject, actor, details } }: { entry: InstanceAuditEntry }) {
  const t = useTexts();
  const { previous_email, group, successor, token, master_key, scope, ends_at, settings, ...others } =
    details;
  const { reason, sessions, is_last_of_hour, ...ofFeature } = others;
  const facts = [
    subject !== actor && dataIn(subject),
    dataIn(previous_email),
    dataIn(group),
    successor && <Sentence of="instanceAudit.successor" group={<Data>{successor}</Data>} />,
    dataIn(token ?? master_key),
    scope && t.text(`tokens.scope.${scope}`),
    ends_at && t.text('instanceAudit.tokenEnds', { time: t.time(new Date(ends_at)) }),
    dataIn(settings?.join(', ')),
    reason && reasonIn(reason, t),
    ...Object.values(ofFeature).map((value) =>
      dataIn(Array.isArray(value) ? value.join(', ') : String(value)),
    ),
    sessions !== undefined && t.text('instanceAudit.sessionsEnded', { count: sessions }),
    is_last_of_hour && t.text('instanceAudit.isLastOfHour'),
  ].filter(Boolean);
  const what = kindIn(kind, t);
  return (
    <LogEvent
      more={
        facts.length > 0 &&
        facts.map((fact, index) => (
          <>
            {index > 0 && DOT}
            <bdi key={index}>{fact}</bdi>
          </>
        ))
      }
    >
      {kind === 'sign_in_failed' ? <Status kind="bad">{what}</Status> : what}
    </LogEvent>
  );
}

/** A code of a module of others, which has no text, as it is. */
function reasonIn(code: string, t: Translator) {
  const key = `instanceAudit.reason.${code}`;
  return key in catalogueOf(t.language) ? t.text(key as TextKey) : dataIn(code);
}

function dataIn(text: string | undefined) {
  return text ? <Data>{text}</Data> : undefined;
}

function ActorName({ entry: { actorType, actor } }: { entry: InstanceAuditEntry }) {
  if (actorType === 'account') return <Data>{actor}</Data>;
  return <Sentence of={`instanceAudit.by.${actorType}`} user={<Data>{actor}</Data>} />;
}
