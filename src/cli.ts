// First, because a Node.js that is too old cannot even load the other imports.
import './node-version.js';
import './private-files.js';
import 'reflect-metadata';
import { existsSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command, CommanderError } from 'commander';
import { DataSource } from 'typeorm';
import { addAccountCommands } from './account-commands.js';
import { AuthModule } from './auth/auth.module.js';
import { AccountRefused } from './auth/users.service.js';
import { LoggingModule } from './logging/logging.module.js';
import { SchedulingModule } from './scheduling/scheduling.module.js';
import { backUpDatabase, BackupRefused } from './database/backup.js';
import { DatabaseModule } from './database/database.module.js';

import { WriteAheadLog } from './database/write-ahead-log.js';
import { explainStart } from './explain-start.js';
import { ExpiryService } from './pushes/expiry/expiry.service.js';
import { FileStore } from './files/file-store.js';
import { HttpModule } from './http/http.module.js';
import { KeyRotationService } from './pushes/key-rotation.service.js';
import { PushesModule } from './pushes/pushes.module.js';
import { SealingModule } from './sealing/sealing.module.js';
import { SettingsModule } from './settings/settings.module.js';

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

/** The service without its scheduled jobs. */
@Module({
  imports: [
    SettingsModule,
    LoggingModule,
    SchedulingModule,
    HttpModule,
    DatabaseModule,
    SealingModule,
    AuthModule,
    PushesModule,
  ],
})
class CliModule {}

const program = new Command('sealpush').exitOverride();

addAccountCommands(program, inService, print);

program
  .command('pushes:purge')
  .description('remove now the ended pushes that RETENTION_DAYS allows to remove')
  .action(() =>
    inService(async (service) => {
      const expiry = service.get(ExpiryService);
      const expired = await expiry.expireOverdue();
      print({ expired, removed: await expiry.purge() });
    }),
  );

program
  .command('keys:rotate')
  .description('replace the other keys of MASTER_KEYS with the first one, while the service runs')
  .action(() =>
    inService(async (service) => {
      const done = await service.get(KeyRotationService).rotate(atMostOnceASecond(print));
      await service.get(WriteAheadLog).truncate(); // it still has the data keys as the old master keys wrapped them
      print(done);
      if (done.needed.length > 0) process.exitCode = EXIT_FAILED;
    }),
  );

program
  .command('backup')
  .argument('<file>')
  .description('copy an SQLite database to a new file, and the files of pushes to FILE.files')
  .action((file: string) =>
    inService(async (service) => {
      const folder = `${file}.files`;
      if (existsSync(folder))
        throw new BackupRefused(`${folder} already exists, and a backup overwrites nothing.`);
      await backUpDatabase(service.get(DataSource), file);
      // after the rows, so that the files of every row in the copy are there
      const count = await service.get(FileStore, { strict: false }).copyTo?.(folder);
      print({ database: file, ...(count !== undefined && { files: folder, count }) });
    }),
  );

program
  .command('migration:run')
  .description('bring the database schema up to date')
  .action(() =>
    inService(() => {
      print({ migrated: true });
      return Promise.resolve();
    }),
  );

program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE; // commander has printed what is wrong
  } else {
    const reason =
      error instanceof AccountRefused || error instanceof BackupRefused ? error.message : explainStart(error);
    process.stderr.write(`sealpush: ${reason}\n`);
    process.exit(EXIT_FAILED); // a service that failed to start may have open connections
  }
});

/** Starting the service migrates the database. */
async function inService(work: (service: INestApplicationContext) => Promise<void>): Promise<void> {
  const service = await NestFactory.createApplicationContext(CliModule, {
    logger: false,
    abortOnError: false,
  });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

/** Reports the first progress, and then at most one a second; the others are dropped. */
function atMostOnceASecond(report: (progress: object) => void): (progress: object) => void {
  let reportedAt = -Infinity;
  return (progress) => {
    if (performance.now() - reportedAt < 1000) return;
    reportedAt = performance.now();
    report(progress);
  };
}

function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
