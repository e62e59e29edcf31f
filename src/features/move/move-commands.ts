import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { schemaIn } from '../../platform/database/migrations.module.js';
import type { CommandContext } from '../../platform/cli/command-context.js';
import { exportDatabase } from './export-database.js';
import { ImportModule, ImportService } from './import.service.js';
import { MoveAuditKind } from './move.audit-kinds.js';

/** The commands that move the service to another database. */
export function addMoveCommands(
  program: Command,
  { service, inService, inModule, print, warn }: CommandContext,
): void {
  program
    .command('export')
    .argument('<file>')
    .description('write the whole database to a new file, for import on another database engine')
    .action((file: string) =>
      inService(async (app) => {
        const record = () => app.get(InstanceAudit).record(MoveAuditKind.database_exported);
        const { rows, leftOut } = await exportDatabase(app.get(DataSource), file, record);
        print({ file, rows, ...(leftOut.length > 0 && { left_out: leftOut }) });
        warn(
          'Never start the service with this database again once the file is imported: ' +
            'views that are counted here after the export are not in it, so secrets would be shown once more.',
        );
      }),
    );

  program
    .command('import')
    .argument('<file>')
    .description('read an exported file into the empty database of the settings')
    .action((file: string) =>
      inModule(ImportModule, async (context) => {
        const schema = await schemaIn(await service());
        print({ file, rows: await context.get(ImportService).importFile(file, schema) });
      }),
    );
}
