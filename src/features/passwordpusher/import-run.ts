import type { ImportTarget } from './import-target.js';
import type { Lockbox } from './source/lockbox.js';
import type { SourceDatabase } from './source/source-database.js';
import type { SourceFile, SourceFiles } from './source/source-files.js';

/** What the operator chooses. */
export interface ImportOptions {
  /** Signs the digests of recovery codes; without it these are left behind. */
  secretKeyBase?: Buffer;
  /** Links end after so many days from now, if they do not end earlier. */
  linkDays?: number;
  /** Of accounts here to which those there are joined although the email address was not verified in both places. */
  joinedAddresses: ReadonlySet<string>;
  now: Date;
}

/** What an import works with. */
export interface ImportRun {
  source: SourceDatabase;
  /** Undefined when there are none. */
  files: SourceFiles | undefined;
  keys: Lockbox;
  target: ImportTarget;
  options: ImportOptions;
  report: ImportReport;
}

/** Counts what is imported and what is not. */
export class ImportReport {
  readonly accounts = { new: 0, joined: 0, already: 0, refused: 0 };
  tokens = 0;
  secondFactors = 0;
  recoveryCodes = 0;
  readonly pushes = { active: 0, ended: 0, deleted: 0, already: 0, updated: 0, broken: 0 };
  files = 0;
  /** Only their names are taken over, with their pushes. */
  missingFiles = 0;
  bytes = 0;
  logEntries = 0;
  readonly leftBehind = {
    pushesOfRefusedAccounts: 0,
    /** Of accounts that have been deleted here. */
    pushesOfDeletedAccounts: 0,
    /** Of accounts that were joined to others, which keep theirs. */
    rights: 0,
    /** Without a token, so that no link opens them. */
    pushesWithoutLink: 0,
    /** Their payload is none that the kind has here, so they are shown as text. */
    pushesOfAnotherKind: 0,
    passwords: 0,
    accountsWithoutRecoveryCodes: 0,
    /** Of accounts that were locked after wrong passwords, and are not here. */
    locks: 0,
  };

  /** @param print is called for each account and push that is not imported, and with the totals */
  constructor(private readonly print: (line: object) => void) {}

  refuseAccount(number: number, reason: string): void {
    this.accounts.refused += 1;
    this.print({ account: number, refused: reason });
  }

  addBroken(number: number, reason: string): void {
    this.pushes.broken += 1;
    this.print({ push: number, broken: reason });
  }

  /** @param key under which the storage there has it, or should have */
  addMissingFile(number: number, { name, key }: Pick<SourceFile, 'name' | 'key'>, reason: string): void {
    this.missingFiles += 1;
    this.print({ push: number, file: name, ...(key !== undefined && { key }), missing: reason });
  }

  /** Whether something is left behind that the operator may still want. */
  get isIncomplete(): boolean {
    const { accounts, pushes, missingFiles, leftBehind } = this;
    return accounts.refused + pushes.broken + missingFiles + leftBehind.pushesOfRefusedAccounts > 0;
  }

  totals(): object {
    const { leftBehind } = this;
    return {
      accounts: this.accounts,
      tokens: this.tokens,
      second_factors: this.secondFactors,
      recovery_codes: this.recoveryCodes,
      pushes: this.pushes,
      files: this.files,
      bytes: this.bytes,
      log_entries: this.logEntries,
      left_behind: {
        missing_files: this.missingFiles,
        pushes_of_refused_accounts: leftBehind.pushesOfRefusedAccounts,
        pushes_of_deleted_accounts: leftBehind.pushesOfDeletedAccounts,
        rights_of_administrators: leftBehind.rights,
        pushes_without_link: leftBehind.pushesWithoutLink,
        pushes_shown_as_text: leftBehind.pushesOfAnotherKind,
        passwords_of_unknown_kind: leftBehind.passwords,
        accounts_without_their_recovery_codes: leftBehind.accountsWithoutRecoveryCodes,
        locks_of_accounts: leftBehind.locks,
      },
    };
  }
}
