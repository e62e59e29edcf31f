import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Lines, Period } from '../../pushes/audit-log/audit-log.service.js';
import { AuditLogService } from '../../pushes/audit-log/audit-log.service.js';
import { AuditChainService } from '../../pushes/audit-log/audit-chain.service.js';
import { AuditVerificationService } from '../../pushes/audit-log/audit-verification.service.js';
import { instanceAuditLine } from '../../platform/instance-audit/instance-audit-line.js';
import { logLines } from '../../platform/http/log-lines.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import type { CommandContext } from '../../platform/cli/command-context.js';
import { writeToNewFile, writeToStream } from '../../platform/cli/write-output.js';

const STDOUT = '-';

/** The commands for the audit log of the whole instance. */
export function addAuditCommands(
  program: Command,
  { inService, print, setFailed, stdout }: CommandContext,
): void {
  program
    .command('audit:export')
    .argument('[file]', 'a new file, or - for standard output', STDOUT)
    .option(
      '--from <time>',
      'only entries from this time on, such as 2026-01-31 or 2026-01-31T12:00:00Z',
      time,
    )
    .option('--until <time>', 'only entries before this time', time)
    .option(
      '--instance',
      'the log of the instance, of accounts and administration, instead of that of pushes',
    )
    .description('write the audit log of all accounts, one JSON object per line')
    .action((file: string, { instance = false, ...period }: Period & { instance?: boolean }) =>
      inService(async (service) => {
        const audit = service.get(InstanceAudit);
        const lines = instance ? instanceLines(audit, period) : service.get(AuditLogService).ofAll(period);
        const counted = new CountedLines(lines, () => audit.record('audit_exported'));
        if (file === STDOUT) {
          await writeToStream(counted.texts(), stdout);
        } else {
          await writeToNewFile(counted.texts(), file);
          print({ file, entries: counted.count });
        }
      }),
    );

  program
    .command('audit:verify')
    .description('check that no entry of the audit log was changed, removed or inserted; fails if one was')
    .action(() =>
      inService(async (service) => {
        await service.get(AuditChainService).chainNewEntries();
        const { broken, ...found } = await service
          .get(AuditVerificationService)
          .verify(({ push, brokenAt }) => {
            print({ push, broken_at: brokenAt });
          });
        print({ ...found, broken });
        if (broken > 0) setFailed();
      }),
    );
}

async function* instanceLines(audit: InstanceAudit, period: Period): AsyncGenerator<Lines> {
  for await (const entries of audit.batches(period))
    yield { text: logLines('ndjson', entries.map(instanceAuditLine), []), count: entries.length };
}

/** Counts the lines that pass. They are read once the output is open; `start` runs before. */
class CountedLines {
  count = 0;

  constructor(
    private readonly lines: AsyncIterable<Lines>,
    private readonly start: () => Promise<void>,
  ) {}

  async *texts(): AsyncGenerator<string> {
    await this.start();
    for await (const { text, count } of this.lines) {
      this.count += count;
      yield text;
    }
  }
}

/** A day, which begins at midnight in UTC, or a moment in UTC. */
function time(text: string): Date {
  const moment = new Date(text);
  const isKnown = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text);
  if (!isKnown || Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(text.slice(0, 10)))
    throw new InvalidArgumentError('It must be a day or a time in UTC, such as 2026-01-31T12:00:00Z.');
  return moment;
}
