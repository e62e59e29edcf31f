import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  DateTimeColumn,
  DigestColumn,
  IdColumn,
  LongSealedColumn,
  ReferenceColumn,
} from '../../platform/database/columns.js';
import { NotExported } from '../../platform/database/tables.js';
import { CHUNK_BYTES, SEALED_CHUNK_BYTES, sealedSize } from '../../platform/sealing/chunk-seal.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';

const SizeColumn = () =>
  Column({ type: 'bigint', transformer: { from: Number, to: (size: unknown) => size } });

/** The `appender` of an upload that has ended: nothing is added to it any more. */
export const ENDED = 'ended';

/** Parts of any size; more only if they have a chunk each on average. */
export const FREE_PARTS = 1000;
/** How often sealing may go on after chunks were lost. */
export const MAX_EPOCHS = 1000;

/**
 * A file that arrives in parts, before the push that will have it. Its whole chunks are in the file store, sealed; the
 * bytes after them, which do not fill a chunk yet, are in the row, sealed too.
 */
@NotExported() // it ends soon, and what its store needs to continue it means nothing elsewhere
@Entity('uploads')
@Index(['masterKeyId', 'id'])
export class PartialUpload {
  /** Also of the file that it becomes. */
  @IdColumn()
  id: string;

  @Index({ unique: true })
  @DigestColumn()
  tokenDigest: string;

  /** Whose upload it is; null if whoever has its token may continue it. */
  @Index()
  @ReferenceColumn({ nullable: true })
  userId: string | null;

  /** A digest of what limits the files that it is for, as a request for a secret does; null for a push of its visitor. */
  @Index()
  @DigestColumn({ nullable: true })
  limitDigest: string | null;

  /** From where it was begun, if without an account: see `clientNetworks`. */
  @Index()
  @Column('varchar', { length: 45, nullable: true })
  network: string | null;

  @Index()
  @Column('varchar', { length: 45, nullable: true })
  wideNetwork: string | null;

  @ForeignKey(() => MasterKey, { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' })
  @Column('varchar', { length: 16 })
  masterKeyId: string;

  /** Its key and metadata: see `UploadSeal`. */
  @LongSealedColumn()
  sealed: Buffer;

  /** Bytes that the whole file has. */
  @SizeColumn()
  length: number;

  /** Bytes that have arrived, and are stored durably. */
  @SizeColumn()
  received: number;

  /** Bytes of its sealed chunks that are in the file store. */
  @SizeColumn()
  storedBytes: number;

  @Index()
  @Column('varchar', { length: 64 })
  storageKey: string;

  /** See `StoredPart`. */
  @Column('text', { nullable: true })
  storeState: string | null;

  /** The bytes after the last whole chunk; null if there are none. */
  @LongSealedColumn({ nullable: true, select: false })
  tail: Buffer | null;

  /** Whether it begins like a file that its client has encrypted; false until its first chunk is complete. */
  @Column('boolean')
  isAgeFile: boolean;

  /** See `Epochs`. */
  @Column('simple-json')
  epochs: number[];

  /** How often bytes were added to it. */
  @Column('integer')
  appends: number;

  /** Who adds bytes to it, or did and did not say that all are stored; `ENDED` when nobody may any more. */
  @ReferenceColumn({ nullable: true })
  appender: string | null;

  /** Until when nobody else may: milliseconds since 1970 by the database's clock. */
  @SizeColumn()
  appendUntil: number;

  @Index()
  @DateTimeColumn()
  endsAt: Date;

  get isComplete(): boolean {
    return this.storedBytes === sealedSize(this.length);
  }

  /** Whether it is complete, as one file in the store. */
  get isJoined(): boolean {
    return this.isComplete && this.storeState === null && this.appender === null;
  }

  isEnded(now: Date): boolean {
    return this.endsAt <= now || this.appender === ENDED;
  }

  belongsTo(userId: string | undefined): boolean {
    return this.userId === null || this.userId === userId;
  }

  /** Chunks of it that are stored. */
  get chunks(): number {
    return Math.ceil(this.storedBytes / SEALED_CHUNK_BYTES);
  }

  /** Whether no more bytes are accepted, because their parts are too small or too many were lost. */
  get isTornApart(): boolean {
    const isTooShort = this.appends >= FREE_PARTS && this.received < this.appends * CHUNK_BYTES;
    return isTooShort || this.epochs.length >= MAX_EPOCHS;
  }

  /** The epochs of whoever adds bytes next. Another one begins unless the last one said that all of theirs are stored. */
  get nextEpochs(): number[] {
    return this.appender === null ? this.epochs : [...this.epochs, this.chunks];
  }
}
