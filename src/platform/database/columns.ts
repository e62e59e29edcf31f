import type { ColumnOptions } from 'typeorm';
import { Column, PrimaryColumn } from 'typeorm';
import { readableMoment } from './statements/statements.js';

/** Column types that mean the same on every engine. */

/** A UUIDv7 from `newId`. */
export const IdColumn = () => PrimaryColumn('varchar', { length: 36 });

/** The id of another row. */
export const ReferenceColumn = (options: ColumnOptions = {}) =>
  Column({ type: 'varchar', length: 36, ...options });

/** A SHA-256 digest in hex, so that no collation can treat two digests as equal. */
export const DigestColumn = (options: ColumnOptions = {}) =>
  Column({ type: 'varchar', length: 64, ...options });

/** A moment in UTC, to the millisecond. */
export const DateTimeColumn = (options: ColumnOptions = {}) =>
  Column({
    type: 'datetime',
    precision: 3,
    transformer: { from: readableMoment, to: unchanged },
    ...options,
  });

const unchanged = (value: unknown) => value;

/** Sealed bytes, up to 64 KiB. */
export const SealedColumn = (options: ColumnOptions = {}) => Column({ type: 'blob', ...options });

/** Sealed bytes, up to 16 MiB. */
export const LongSealedColumn = (options: ColumnOptions = {}) => Column({ type: 'mediumblob', ...options });

/** Text that is compared byte by byte: other collations treat an e with an accent like one without. */
export const ExactTextColumn = (length: number) =>
  Column({ type: 'varchar', length, charset: 'utf8mb4', collation: 'utf8mb4_bin' });
