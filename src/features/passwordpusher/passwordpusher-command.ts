import { readFile } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import { ImportedAccountsService } from '../../auth/import/imported-accounts.service.js';
import { Leases } from '../../platform/database/leases.js';
import { schemaIn } from '../../platform/database/migrations.module.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { flag, s3Endpoint } from '../../platform/settings/parsers.js';
import type { Parser } from '../../platform/settings/setting.js';
import { Settings } from '../../platform/settings/settings.js';
import { currentSettings } from '../../platform/settings/current-settings.js';
import { Proxies } from '../../platform/settings/proxies.js';
import { SettingsModule } from '../../platform/settings/settings.module.js';
import { ImportedPushesService } from '../../pushes/import/imported-pushes.service.js';
import type { ImportOptions, ImportRun } from './import-run.js';
import { ImportReport } from './import-run.js';
import type { ImportTarget } from './import-target.js';
import { DryTarget, ServiceTarget } from './import-target.js';
import { PasswordPusherAuditKind } from './passwordpusher.audit-kinds.js';
import { checkKeys, importAll } from './passwordpusher-import.js';
import { DEFAULT_MASTER_KEY, Lockbox } from './source/lockbox.js';
import { SourceDatabase } from './source/source-database.js';
import type { SourceFiles } from './source/source-files.js';
import { DiskSourceFiles, S3SourceFiles } from './source/source-files.js';
import type { CommandContext } from '../../platform/cli/command-context.js';
import { atMostOnceASecond } from '../../platform/cli/command-context.js';
import { Refusal } from '../../platform/errors/refusal.js';

/** An HMAC uses the digest of a key that is longer than its block, so that is enough to keep (RFC 2104, section 2). */
const HMAC_BLOCK_BYTES = 64;
const LEASE = 'import:passwordpusher';

interface CommandOptions {
  database: string;
  masterKey?: string;
  masterKeyFile?: string;
  previousMasterKeys?: string;
  previousMasterKeysFile?: string;
  secretKeyBaseFile?: string;
  storage?: string;
  s3Bucket?: string;
  s3Endpoint?: string;
  s3Region: string;
  s3AccessKeyId?: string;
  s3SecretAccessKey?: string;
  s3PathStyle?: string;
  linkDays?: number;
  existing?: string;
  dryRun?: boolean;
}

/** The command that imports what PasswordPusher has. */
export function addPasswordPusherCommand(program: Command, context: CommandContext): void {
  const option = (flags: string, description: string, variable: string) =>
    new Option(flags, description).env(`PASSWORDPUSHER_${variable}`);
  program
    .command('import:passwordpusher')
    .description(
      'import accounts, API tokens, pushes, files and logs of PasswordPusher 2.11 or later, which must be stopped; ' +
        'run again, it imports only what is new',
    )
    .addOption(
      option(
        '--database <url>',
        'its database: sqlite:FILE, mysql://… or postgresql://…',
        'DATABASE_URL',
      ).makeOptionMandatory(),
    )
    .addOption(option('--master-key <hex>', 'its PWPUSH_MASTER_KEY, 64 hexadecimal digits', 'MASTER_KEY'))
    .addOption(new Option('--master-key-file <file>', 'the file that has it').conflicts('masterKey'))
    .addOption(
      option('--previous-master-keys <hex,…>', 'earlier ones, separated by commas', 'PREVIOUS_MASTER_KEYS'),
    )
    .addOption(
      new Option('--previous-master-keys-file <file>', 'the file that has them').conflicts(
        'previousMasterKeys',
      ),
    )
    .option(
      '--secret-key-base-file <file>',
      'has its SECRET_KEY_BASE, without which no recovery codes are imported',
    )
    .addOption(new Option('--storage <folder>', 'where it keeps files').conflicts('s3Bucket'))
    .addOption(option('--s3-bucket <name>', 'the bucket where it keeps files', 'S3_BUCKET'))
    .addOption(option('--s3-endpoint <url>', 'of another S3-compatible server', 'S3_ENDPOINT'))
    .addOption(
      option(
        '--s3-path-style <true|false>',
        'whether requests to it name the bucket in the path; by default if it is not Amazon S3',
        'S3_PATH_STYLE',
      ),
    )
    .addOption(option('--s3-region <name>', 'the region', 'S3_REGION').default('us-east-1'))
    .addOption(option('--s3-access-key-id <id>', 'the access key', 'S3_ACCESS_KEY_ID'))
    .addOption(option('--s3-secret-access-key <key>', 'its secret', 'S3_SECRET_ACCESS_KEY'))
    .option(
      '--link-days <days>',
      'end every link after so many days from now, if it does not end earlier',
      days,
    )
    .option(
      '--existing <emails>',
      'join these accounts, separated by commas, to those here with the same email address, although nobody has verified it',
    )
    .option('--dry-run', 'write nothing, and report what would be imported')
    .action((options: CommandOptions) => run(options, context));
}

async function run(options: CommandOptions, context: CommandContext): Promise<void> {
  const { dryRun: isDryRun = false } = options;
  const { inService, inModule, warn } = context;
  const keys = new Lockbox(await readKeys(options, warn));
  const source = await SourceDatabase.open(options.database, isDryRun);
  try {
    const files = await openFiles(options);
    if (!files && (await source.hasFiles()))
      throw new Refusal('PasswordPusher has files: say where they are with --storage or --s3-bucket.');
    if (!isDryRun && !(await source.seesOthers()))
      warn(
        'It cannot be seen whether PasswordPusher still uses the database, because the user of MySQL lacks the privilege ' +
          'PROCESS, or the file of SQLite or its folder cannot be written: make sure that it does not.',
      );
    const { opened, unopened } = await checkKeys(source, keys);
    if (unopened > 0)
      warn(
        `The keys open ${opened} of ${opened + unopened} pushes that have not expired; the others are left behind.`,
      );
    const chosen = await chosenOptions(options);
    const importInto = (target: ImportTarget) =>
      importAndReport({ source, files, keys, target, options: chosen }, isDryRun, context);

    if (isDryRun) {
      await inModule(SettingsModule, async (module) => {
        const target = await DryTarget.open(module.get(Settings), await schemaIn(await context.service()));
        try {
          await importInto(target);
        } finally {
          await target.close();
        }
      });
    } else {
      await inService((service) => {
        const accounts = service.get(ImportedAccountsService, { strict: false });
        const pushes = service.get(ImportedPushesService, { strict: false });
        const target = new ServiceTarget(service.get(DataSource), accounts, pushes);
        return alone(service, () => importInto(target));
      });
      if (await source.isInUse()) {
        warn(
          'PasswordPusher, or another program, used its database meanwhile: stop it, and run the import again.',
        );
        context.setFailed();
      }
    }
  } finally {
    await source.close();
  }
}

/** @throws Refusal when another import runs */
async function alone(service: INestApplicationContext, work: () => Promise<void>): Promise<void> {
  const isFree = await service.get(Leases).runIfFree(LEASE, async () => {
    await service.get(InstanceAudit).record(PasswordPusherAuditKind.passwordpusher_imported); // first: it may be interrupted
    await work();
  });
  if (!isFree)
    throw new Refusal(
      'Another import into this database is running, or was killed less than 30 seconds ago. Run this one again later.',
    );
}

async function importAndReport(
  run: Omit<ImportRun, 'report'>,
  isDryRun: boolean,
  { print, setFailed, stdout }: CommandContext,
): Promise<void> {
  const report = new ImportReport(print);
  const total = await run.source.countPushes();
  const isAtTerminal = (stdout as Partial<NodeJS.WriteStream>).isTTY === true;
  const progress = atMostOnceASecond(print);
  await importAll({ ...run, report }, (count) => {
    if (isAtTerminal) progress({ pushes: count, of: total });
  });
  print({ ...(isDryRun && { dry_run: true }), ...report.totals() });
  if (report.isIncomplete) setFailed();
}

async function chosenOptions({
  secretKeyBaseFile,
  linkDays,
  existing = '',
}: CommandOptions): Promise<ImportOptions> {
  const secretKeyBase =
    secretKeyBaseFile === undefined ? undefined : Buffer.from(await readSecret(secretKeyBaseFile));
  if (secretKeyBase?.length === 0) throw new Refusal(`${secretKeyBaseFile} is empty.`);
  return {
    ...(secretKeyBase && { secretKeyBase: hmacKey(secretKeyBase) }),
    ...(linkDays !== undefined && { linkDays }),
    joinedAddresses: new Set(existing.split(',').map((email) => User.normalizeEmail(email))),
    now: new Date(),
  };
}

function hmacKey(key: Buffer): Buffer {
  return key.length > HMAC_BLOCK_BYTES ? createHash('sha256').update(key).digest() : key;
}

/** The current key first. */
async function readKeys(options: CommandOptions, warn: CommandContext['warn']): Promise<Buffer[]> {
  const { masterKey, masterKeyFile, previousMasterKeys = '', previousMasterKeysFile } = options;
  const current = masterKeyFile === undefined ? masterKey : await readSecret(masterKeyFile);
  const previous =
    previousMasterKeysFile === undefined ? previousMasterKeys : await readSecret(previousMasterKeysFile);
  if (current === undefined)
    warn(
      'No master key is given, so the one is used that PasswordPusher has when none is set. Everyone knows it: ' +
        'whoever had a copy of its database could read every secret that was in it.',
    );
  return [current ?? DEFAULT_MASTER_KEY, ...previous.split(/[\s,]+/).filter(Boolean)].map(keyOf);
}

/** The message must not contain the key. */
function keyOf(hex: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(hex.trim()))
    throw new Refusal('A master key of PasswordPusher has 64 hexadecimal digits.');
  return Buffer.from(hex.trim(), 'hex');
}

async function openFiles(options: CommandOptions): Promise<SourceFiles | undefined> {
  const { storage, s3Bucket } = options;
  if (storage !== undefined) return DiskSourceFiles.of(storage);
  if (s3Bucket === undefined) return undefined;
  return S3SourceFiles.of({
    endpoint: parsed('--s3-endpoint', s3Endpoint, options.s3Endpoint) as string | undefined,
    bucket: s3Bucket,
    region: options.s3Region,
    accessKeyId: options.s3AccessKeyId,
    secretAccessKey: options.s3SecretAccessKey,
    pathStyle: parsed('--s3-path-style', flag, options.s3PathStyle) as boolean | undefined,
    proxies: new Proxies(currentSettings()),
  });
}

async function readSecret(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new Refusal(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** The value of an option that is written as a setting is. Commander would show a wrong one, which may have a password. */
function parsed(option: string, parse: Parser, text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parse(text);
  } catch (error) {
    throw new Refusal(`${option} ${(error as Error).message}.`);
  }
}

function days(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 99999.');
  return Number(text);
}
