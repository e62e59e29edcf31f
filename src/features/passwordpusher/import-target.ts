import { existsSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Database } from 'better-sqlite3';
import type { DataSource, EntityManager } from 'typeorm';
import { In, IsNull } from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import type { AccountToImport } from '../../auth/import/imported-accounts.service.js';
import { findImportedAccount, ImportedAccountsService } from '../../auth/import/imported-accounts.service.js';
import { StoredFile } from '../../files/file.entity.js';
import type { Upload } from '../../files/upload.js';
import { open } from '../../platform/database/connect.js';
import { dataSourceOptions, engineOf } from '../../platform/database/engines/engines.js';
import type { Schema } from '../../platform/database/migrations.module.js';
import type { NamedAccount } from '../../platform/instance-audit/current-actor.js';
import { digestOf } from '../../platform/random/random.js';
import type { Settings } from '../../platform/settings/settings.js';
import { ImportedPush } from '../../pushes/import/imported-push.entity.js';
import type { EntryToImport, PushToImport } from '../../pushes/import/imported-pushes.service.js';
import { ImportedPushesService } from '../../pushes/import/imported-pushes.service.js';
import type { RecordedElsewhere } from '../../pushes/push/push.entity.js';
import { Push } from '../../pushes/push/push.entity.js';
import type { SourceFile } from './source/source-files.js';
import { BrokenFile } from './source/source-files.js';

/** Is told of a file that is missing or cannot be read, and why. */
type OnMissing = (file: SourceFile, reason: string) => void;

/** What is known here of some pushes, by their token digests. */
export interface KnownPushes {
  /** The rows here of files that were missing when their push was imported. */
  missingFiles: StoredFile[];
  /** Those that were imported, also when they have been removed since. */
  imported: ReadonlyMap<string, ImportedPush>;
  /** Those that are here. */
  here: ReadonlySet<string>;
}

/** What is imported into: the service, or, to try it, nothing. */
export abstract class ImportTarget {
  /**
   * @param manager reads what is here; undefined when there is nothing yet
   * @param hasImports whether anything can have been imported: not with the tables of an earlier version
   */
  constructor(
    protected readonly manager: EntityManager | undefined,
    private readonly hasImports = true,
  ) {}

  /** The id of the account that was imported with this email address, and whether it is still there. */
  async findImported(email: string): Promise<{ userId: string; exists: boolean } | undefined> {
    const found = this.manager && this.hasImports && (await findImportedAccount(this.manager, email));
    if (!found) return undefined;
    return { userId: found.userId, exists: await this.hasUser(found.userId) };
  }

  /** Only what every version has. */
  async findUser(email: string): Promise<Pick<User, 'id' | 'email' | 'emailUnverified'> | undefined> {
    const select = { id: true, email: true, emailUnverified: true } as const;
    const found = await this.manager?.findOne(User, { select, where: { email: User.normalizeEmail(email) } });
    return found ?? undefined;
  }

  /** What is known here of pushes with these tokens. */
  async findPushes(urlTokens: string[]): Promise<KnownPushes> {
    const digests = In(urlTokens.map(digestOf));
    const imported = (this.hasImports && (await this.manager?.findBy(ImportedPush, { id: digests }))) || [];
    const select = { id: true, tokenDigest: true } as const;
    const here = (await this.manager?.find(Push, { select, where: { tokenDigest: digests } })) ?? [];
    const pushIds = In(imported.map(({ pushId }) => pushId));
    const missing = { pushId: pushIds, storageKey: '', endedOn: IsNull() };
    const missingFiles = (imported.length > 0 && (await this.manager?.findBy(StoredFile, missing))) || [];
    return {
      missingFiles,
      imported: new Map(imported.map((row) => [row.id, row])),
      here: new Set(here.map(({ tokenDigest }) => tokenDigest)),
    };
  }

  /**
   * Creates an account, or joins it to one that is here. Returns the id of the account.
   * @throws AccountError
   */
  abstract addAccount(
    account: AccountToImport,
    existing: NamedAccount | undefined,
    now: Date,
  ): Promise<string>;

  /**
   * Adds a push with its files and the beginning of its log, up to an entry. Undefined when its owner has been deleted meanwhile.
   * @param onMissing is told of files that are missing or cannot be read, of which only the names are added
   */
  abstract addPush(
    push: PushToImport,
    entries: EntryToImport[],
    lastEntry: number,
    files: SourceFile[],
    onMissing: OnMissing,
  ): Promise<ImportedPush | undefined>;

  /**
   * Adds the bytes of a file that was missing when its push was imported; nothing when the push has ended.
   * @returns whether it was added
   * @throws BrokenFile when it is still missing
   */
  abstract addMissingFile(
    imported: ImportedPush,
    row: StoredFile,
    file: SourceFile,
    passphrase: string,
    now: Date,
  ): Promise<boolean>;

  abstract addEntries(
    imported: ImportedPush,
    push: Pick<PushToImport, 'urlToken'>,
    entries: EntryToImport[],
    lastEntry: number,
  ): Promise<void>;

  /** Returns whether anything has changed. */
  abstract catchUp(
    imported: ImportedPush,
    viewsThere: number,
    recorded: Omit<RecordedElsewhere, 'views'>,
    now: Date,
  ): Promise<boolean>;

  private async hasUser(id: string): Promise<boolean> {
    return (await this.manager?.existsBy(User, { id })) ?? false;
  }
}

/** Writes. */
export class ServiceTarget extends ImportTarget {
  constructor(
    dataSource: DataSource,
    private readonly accounts: ImportedAccountsService,
    private readonly pushes: ImportedPushesService,
  ) {
    super(dataSource.manager);
  }

  async addAccount(account: AccountToImport, existing: NamedAccount | undefined, now: Date): Promise<string> {
    if (!existing) return this.accounts.create(account, now);
    await this.accounts.join(existing, account);
    return existing.id;
  }

  async addPush(
    push: PushToImport,
    entries: EntryToImport[],
    lastEntry: number,
    files: SourceFile[],
    onMissing: OnMissing,
  ): Promise<ImportedPush | undefined> {
    const upload = files.length > 0 ? this.pushes.beginUpload(push) : undefined;
    try {
      for (const file of files) if (upload) await addFile(upload, file, onMissing);
      const imported = await this.pushes.add(push, entries, lastEntry, upload);
      if (!imported) await upload?.discard(new Error('The account has been deleted'));
      return imported;
    } catch (error) {
      await upload?.discard(error);
      throw error;
    }
  }

  async addMissingFile(
    imported: ImportedPush,
    row: StoredFile,
    { name, contentType, open }: SourceFile,
    passphrase: string,
    now: Date,
  ): Promise<boolean> {
    const upload = await this.pushes.resumeUpload(imported, passphrase, now);
    if (!upload) return false;
    try {
      await upload.add(name, contentType, await open(), undefined, row.id);
      if (await this.pushes.replaceMissing(upload)) return true;
      await upload.discard(new Error('The row of the file has been removed'));
      return false;
    } catch (error) {
      await upload.discard(error);
      throw error;
    }
  }

  addEntries(
    imported: ImportedPush,
    push: Pick<PushToImport, 'urlToken'>,
    entries: EntryToImport[],
    lastEntry: number,
  ): Promise<void> {
    return this.pushes.addEntries(imported, push, entries, lastEntry);
  }

  catchUp(...args: Parameters<ImportTarget['catchUp']>): Promise<boolean> {
    return this.pushes.catchUp(...args);
  }
}

/** Adds a file, or only its name when its bytes are missing or cannot be read. */
async function addFile(upload: Upload, file: SourceFile, onMissing: OnMissing): Promise<void> {
  const before = upload.files.length;
  try {
    await upload.add(file.name, file.contentType, await file.open());
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    upload.addMissing(file.name, file.contentType, upload.files.length > before);
    onMissing(file, error.message);
  }
}

/** Writes nothing: reads the files, and reports what would be imported. */
export class DryTarget extends ImportTarget {
  private constructor(
    private readonly dataSource: DataSource | undefined,
    hasImports = true,
  ) {
    super(dataSource?.manager, hasImports);
  }

  /** The database of the settings, which is not created or migrated. Close it when it is no longer needed. */
  static async open(settings: Settings, { entities }: Schema): Promise<DryTarget> {
    const options = await dataSourceOptions(settings);
    const file = engineOf({ options }).fileOf(options);
    if (file !== undefined && !existsSync(file)) return new DryTarget(undefined);
    const dataSource = await open(
      Object.assign(options, {
        entities,
        prepareDatabase: (file: Database) => file.pragma('query_only = ON'),
      }),
    );
    const runner = dataSource.createQueryRunner();
    const [hasUsers, hasImports] = [await runner.hasTable('users'), await runner.hasTable('imported_pushes')];
    await runner.release();
    if (hasUsers) return new DryTarget(dataSource, hasImports);
    await dataSource.destroy();
    return new DryTarget(undefined);
  }

  async close(): Promise<void> {
    await this.dataSource?.destroy();
  }

  addAccount(_account: AccountToImport, existing: NamedAccount | undefined): Promise<string> {
    return Promise.resolve(existing?.id ?? 'new');
  }

  async addPush(
    _push: PushToImport,
    _entries: EntryToImport[],
    lastEntry: number,
    files: SourceFile[],
    onMissing: OnMissing,
  ): Promise<ImportedPush | undefined> {
    for (const file of files)
      await readWhole(file).catch((error: unknown) => {
        if (!(error instanceof BrokenFile)) throw error;
        onMissing(file, error.message);
      });
    return { id: '', pushId: '', viewsImported: 0, lastLogEntry: lastEntry };
  }

  async addMissingFile(_imported: ImportedPush, _row: StoredFile, file: SourceFile): Promise<boolean> {
    await readWhole(file);
    return true;
  }

  addEntries(): Promise<void> {
    return Promise.resolve();
  }

  async catchUp(
    { pushId, viewsImported }: ImportedPush,
    viewsThere: number,
    recorded: Omit<RecordedElsewhere, 'views'>,
    now: Date,
  ): Promise<boolean> {
    const push = await this.manager?.findOneBy(Push, { id: pushId });
    return push?.catchUp({ ...recorded, views: Math.max(0, viewsThere - viewsImported) }, now) !== undefined;
  }
}

async function readWhole(file: SourceFile): Promise<void> {
  await finished((await file.open()).resume());
}
