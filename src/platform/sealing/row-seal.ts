import { Injectable } from '@nestjs/common';
import type { SealedByMasterKey } from './keyring.js';
import { Keyring } from './keyring.js';
import { UnreadableRows } from './unreadable-rows.js';

/** The columns that `seal` writes; null when there is nothing any more. */
type SealedColumns = { [Column in keyof SealedByMasterKey]: SealedByMasterKey[Column] | null };

/**
 * Seals what a row of a table contains, bound to the row by the columns in `contextOf`: in another row, or after one of
 * them was changed, it cannot be unsealed. With `@SealsRows(Entity)` it is sealed again when the master key is replaced.
 */
@Injectable() // its constructor is that of the others
export abstract class RowSeal<Contents, BoundColumns extends { id: string }> {
  /** Names the row in the log, and its key. */
  protected abstract readonly kind: string;

  constructor(
    private readonly keyring: Keyring,
    private readonly unreadableRows: UnreadableRows,
  ) {}

  seal(contents: Contents, row: BoundColumns): SealedByMasterKey {
    return this.keyring.seal(Buffer.from(this.toText(contents)), this.scopeOf(row), this.contextOf(row));
  }

  /** @throws UnsealError when the row was tampered with */
  unseal(row: BoundColumns & SealedColumns): Contents {
    const content = { masterKeyId: row.masterKeyId ?? '', sealed: row.sealed ?? Buffer.alloc(0) };
    return this.fromText(this.keyring.unseal(content, this.scopeOf(row), this.contextOf(row)).toString());
  }

  /** The contents; undefined for a damaged row, which is logged. */
  unsealIfPossible(row: BoundColumns & SealedColumns): Contents | undefined {
    return this.unreadableRows.readIfPossible(`${this.kind} ${row.id}`, () => this.unseal(row));
  }

  protected abstract contextOf(row: BoundColumns): string;

  /** What has a key of its own. */
  protected scopeOf({ id }: BoundColumns): string {
    return `${this.kind}/${id}`;
  }

  protected toText(contents: Contents): string {
    return JSON.stringify(contents);
  }

  protected fromText(text: string): Contents {
    return JSON.parse(text) as Contents;
  }
}
