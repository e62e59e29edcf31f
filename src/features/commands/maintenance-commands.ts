import { mkdir, rm, rmdir } from 'node:fs/promises';
import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { atMostOnceASecond } from '../../platform/cli/command-context.js';
import { Refusal } from '../../platform/errors/refusal.js';
import { databaseWarnings, engineOf } from '../../platform/database/engines/engines.js';
import { WriteAheadLog } from '../../platform/database/sqlite/write-ahead-log.js';
import { mailWarning } from '../../platform/mail/smtp-options.js';
import { FileStore } from '../../files/file-store.js';
import { StoreIdentity } from '../../files/store-identity.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { ExpiryService } from '../../pushes/expiry/expiry.service.js';
import { PushKeyRotation } from '../../pushes/key-rotation/push-key-rotation.js';
import { describeIgnoredSettings } from '../../platform/settings/current-settings.js';
import { NoDatabaseConnection } from '../../platform/settings/start-error.js';
import { Settings } from '../../platform/settings/settings.js';
import { SettingsModule } from '../../platform/settings/settings.module.js';
import { RowKeyRotation } from '../../platform/sealing/row-key-rotation.js';
import type { CommandContext } from '../../platform/cli/command-context.js';

/** The commands for the settings, the database, its keys and its backups. */
export function addMaintenanceCommands(
  program: Command,
  { inService, inModule, print, setFailed, warn }: CommandContext,
): void {
  program
    .command('settings:check')
    .description(
      'say what is wrong with the settings and with the database server, without starting anything',
    )
    .action(() =>
      inModule(SettingsModule, async (module) => {
        const settings = module.get(Settings);
        const ofServer = await databaseWarningsIfItAnswers(settings);
        for (const sentence of [describeIgnoredSettings(), mailWarning(settings), ...ofServer])
          if (sentence !== undefined) warn(sentence);
        print({ valid: true });
      }),
    );

  program
    .command('pushes:purge')
    .description('remove now the ended pushes that RETENTION_DAYS allows to remove')
    .action(() =>
      inService(async (service) => {
        await service.get(InstanceAudit).record('pushes_purged'); // first: it may be interrupted
        const expiry = service.get(ExpiryService);
        const expired = await expiry.expireOverdue();
        const removed = await expiry.purge();
        print({ expired, removed });
      }),
    );

  program
    .command('keys:rotate')
    .description('replace the other keys of MASTER_KEYS with the first one, while the service runs')
    .action(() =>
      inService(async (service) => {
        await service.get(InstanceAudit).record('keys_rotated'); // first: it may be interrupted
        const brokenRows = await service.get(RowKeyRotation).rotate();
        const pushes = await service.get(PushKeyRotation).rotate(atMostOnceASecond(print));
        const done = { ...pushes, broken: pushes.broken + brokenRows };
        await service.get(WriteAheadLog).truncate(); // it still has the data keys as the old master keys wrapped them
        print(done);
        if (done.needed.length > 0) setFailed();
      }),
    );

  program
    .command('backup')
    .argument('<file>')
    .description('copy an SQLite database to a new file, and the files of pushes to FILE.files')
    .action((file: string) =>
      inService(async (service) => {
        const folder = `${file}.files`;
        const store = service.get(FileStore, { strict: false });
        if (store.copyTo) await service.get(StoreIdentity, { strict: false }).confirm(); // both copies get the same id
        const made: string[] = [];
        const start = async () => {
          if (store.copyTo) made.push(await makeNewFolder(folder));
          await service.get(InstanceAudit).record('database_backed_up');
        };
        try {
          const dataSource = service.get(DataSource);
          await engineOf(dataSource).backUp(dataSource, file, start);
        } catch (error) {
          for (const path of made) await rmdir(path);
          throw error;
        }
        // after the rows, so that the files of every row in the copy are there
        const count = await copyFiles(store, file, folder);
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
}

/** Settings can be checked where the database cannot be reached. */
async function databaseWarningsIfItAnswers(settings: Settings): Promise<string[]> {
  try {
    return await databaseWarnings(settings);
  } catch (error) {
    if (error instanceof NoDatabaseConnection) return [`${error.message} Its limits are not checked.`];
    throw error;
  }
}

/** Made before anything is copied, because what a backup that fails removes must be its own. */
async function makeNewFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { mode: 0o700 });
    return path;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Refusal(
      code === 'EEXIST'
        ? `${path} already exists, and a backup overwrites nothing.`
        : `${path} cannot be written (${code}).`,
    );
  }
}

/** A backup without its files is none, so what was written of it is removed when they cannot be copied. */
async function copyFiles(store: FileStore, file: string, folder: string): Promise<number | undefined> {
  try {
    return await store.copyTo?.(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    await rm(file, { force: true });
    throw error;
  }
}
