import type { ColumnOptions, TableColumnOptions } from 'typeorm';
import { Column, PrimaryColumn } from 'typeorm';
import { readableMoment } from './engine/readable-moment.js';

/** Column types that mean the same on every engine. */
const TYPES = {
  reference: { type: 'varchar', length: '36' },
  digest: { type: 'varchar', length: '64' },
  dateTime: { type: 'datetime', precision: 3 },
  sealed: { type: 'blob' },
  longSealed: { type: 'mediumblob' },
  exactText: { type: 'varchar', charset: 'utf8mb4', collation: 'utf8mb4_bin' },
} as const;

/** A UUIDv7 from `newId`. */
export const IdColumn = () => PrimaryColumn(TYPES.reference);

/** The id of another row. */
export const ReferenceColumn = (options: ColumnOptions = {}) => Column({ ...TYPES.reference, ...options });

/** A SHA-256 digest in hex, so that no collation can treat two digests as equal. */
export const DigestColumn = (options: ColumnOptions = {}) => Column({ ...TYPES.digest, ...options });

/** A moment in UTC, to the millisecond. */
export const DateTimeColumn = (options: ColumnOptions = {}) =>
  Column({
    ...TYPES.dateTime,
    transformer: { from: readableMoment, to: unchanged },
    ...options,
  });

const unchanged = (value: unknown) => value;

/** Sealed bytes, up to 64 KiB. */
export const SealedColumn = (options: ColumnOptions = {}) => Column({ ...TYPES.sealed, ...options });

/** Sealed bytes, up to 16 MiB. */
export const LongSealedColumn = (options: ColumnOptions = {}) => Column({ ...TYPES.longSealed, ...options });

/** Text that is compared byte by byte: other collations treat an e with an accent like one without. */
export const ExactTextColumn = (length: number) => Column({ ...TYPES.exactText, length });

type Options = Partial<TableColumnOptions>;

const text = (name: string, length: number, more: Options = {}) => ({
  name,
  type: 'varchar',
  length: String(length),
  ...more,
});
const ofType =
  (type: Options & { type: string }) =>
  (name: string, more: Options = {}) => ({
    ...type,
    name,
    ...more,
  });

/** Columns of tables in an `AdditiveMigration`, of the same types. */
export const column = {
  id: { name: 'id', isPrimary: true, ...TYPES.reference },
  text,
  exactText: (name: string, length: number) => text(name, length, TYPES.exactText),
  longText: ofType({ type: 'text' }),
  reference: ofType(TYPES.reference),
  digest: ofType(TYPES.digest),
  sealed: ofType(TYPES.sealed),
  longSealed: ofType(TYPES.longSealed),
  dateTime: ofType(TYPES.dateTime),
  flag: ofType({ type: 'boolean' }),
  integer: ofType({ type: 'integer' }),
  bigint: ofType({ type: 'bigint' }),
};

export const nullable = { isNullable: true };
export const primary = { isPrimary: true };
