// First, because what follows cannot even be loaded by a Node.js that is too old.
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

/** The service without its schedule. */
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
  .description('remove ended pushes as RETENTION_DAYS allows, now')
  .action(() =>
    inService(async (service) => {
      const expiry = service.get(ExpiryService);
      const expired = await expiry.expireOverdue();
      print({ expired, removed: await expiry.purge() });
    }),
  );

program
  .command('keys:rotate')
  .description('put the first of MASTER_KEYS in the place of the others, while the service runs')
  .action(() =>
    inService(async (service) => {
      const done = await service.get(KeyRotationService).rotate(atMostOnceASecond(print));
      await service.get(WriteAheadLog).truncate(); // the old wraps
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
        throw new BackupRefused(`${folder} is there already, and a backup overwrites nothing.`);
      await backUpDatabase(service.get(DataSource), file);
      // after the rows, so that no row of the copy lacks its bytes
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
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE; // commander has said what is wrong
  } else {
    const reason =
      error instanceof AccountRefused || error instanceof BackupRefused ? error.message : explainStart(error);
    process.stderr.write(`sealpush: ${reason}\n`);
    process.exit(EXIT_FAILED); // a service that did not start may have connected already
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

/** Lets the first through, and after it what comes a second later or more. */
function atMostOnceASecond(tell: (progress: object) => void): (progress: object) => void {
  let told = -Infinity;
  return (progress) => {
    if (performance.now() - told < 1000) return;
    told = performance.now();
    tell(progress);
  };
}

function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
