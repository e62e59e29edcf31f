import { Column, Entity, PrimaryColumn } from 'typeorm';

/*
 * The tables of PasswordPusher 2.11 that are imported. All columns are read as the drivers return them, whatever the
 * engine, and converted here: SQLite has numbers for booleans, PostgreSQL text for all.
 */

const readOnly = (value: unknown) => value;
const column = (name: string, from: (value: unknown) => unknown) =>
  Column('varchar', { name, transformer: { from: ifPresent(from), to: readOnly } });

const IdColumn = () => PrimaryColumn('varchar', { transformer: { from: Number, to: readOnly } });
const NumberColumn = (name: string) => column(name, Number);
const TextColumn = (name: string) => column(name, String);
const FlagColumn = (name: string) => column(name, (value) => [true, 1, '1', 't'].includes(value as string));
const TimeColumn = (name: string) => column(name, (value) => sourceTime(String(value)));

/**
 * A time in UTC, with a fraction of a second or without, such as `2026-11-23 20:24:10`. Null when it is none, such as
 * `infinity`, or is before 1970 or after 9999.
 */
export function sourceTime(text: string): Date | null {
  const time = new Date(`${text.replace(' ', 'T')}Z`);
  return time.getTime() >= 0 && time.getUTCFullYear() <= 9999 ? time : null;
}

function ifPresent(convert: (value: unknown) => unknown) {
  return (value: unknown) => (value === null || value === undefined ? null : convert(value));
}

@Entity('users')
export class SourceUser {
  @IdColumn()
  id: number;

  @TextColumn('email')
  email: string;

  @FlagColumn('admin')
  admin: boolean | null;

  @TimeColumn('created_at')
  createdAt: Date | null;

  @TimeColumn('confirmed_at')
  confirmedAt: Date | null;

  @TimeColumn('locked_at')
  lockedAt: Date | null;

  @TextColumn('preferred_language')
  preferredLanguage: string | null;

  /** bcrypt. */
  @TextColumn('encrypted_password')
  encryptedPassword: string;

  /** The API token, in clear. */
  @TextColumn('authentication_token')
  authenticationToken: string | null;

  @FlagColumn('otp_required_for_login')
  otpRequiredForLogin: boolean | null;

  @TextColumn('otp_secret_ciphertext')
  otpSecretCiphertext: string | null;

  @NumberColumn('last_otp_timestep')
  lastOtpTimestep: number | null;

  /** An array in JSON. */
  @TextColumn('otp_backup_code_digests')
  otpBackupCodeDigests: string | null;
}

@Entity('pushes')
export class SourcePush {
  @IdColumn()
  id: number;

  @NumberColumn('user_id')
  userId: number | null;

  @TextColumn('url_token')
  urlToken: string | null;

  @NumberColumn('kind')
  kind: number;

  @TextColumn('name')
  name: string | null;

  @TextColumn('note_ciphertext')
  noteCiphertext: string | null;

  @TextColumn('passphrase_ciphertext')
  passphraseCiphertext: string | null;

  @TextColumn('payload_ciphertext')
  payloadCiphertext: string | null;

  @NumberColumn('expire_after_days')
  expireAfterDays: number | null;

  @NumberColumn('expire_after_views')
  expireAfterViews: number | null;

  @FlagColumn('deletable_by_viewer')
  deletableByViewer: boolean | null;

  @FlagColumn('retrieval_step')
  retrievalStep: boolean | null;

  @FlagColumn('expired')
  expired: boolean | null;

  @TimeColumn('expired_on')
  expiredOn: Date | null;

  @TimeColumn('created_at')
  createdAt: Date | null;

  @TimeColumn('updated_at')
  updatedAt: Date | null;
}

@Entity('audit_logs')
export class SourceLogEntry {
  @IdColumn()
  id: number;

  @NumberColumn('push_id')
  pushId: number;

  @NumberColumn('kind')
  kind: number;

  @NumberColumn('user_id')
  userId: number | null;

  @TextColumn('ip')
  ip: string | null;

  @TextColumn('user_agent')
  userAgent: string | null;

  @TextColumn('referrer')
  referrer: string | null;

  @TimeColumn('created_at')
  createdAt: Date | null;
}

@Entity('active_storage_attachments')
export class SourceAttachment {
  @IdColumn()
  id: number;

  @TextColumn('record_type')
  recordType: string;

  @TextColumn('name')
  name: string;

  @NumberColumn('record_id')
  recordId: number;

  @NumberColumn('blob_id')
  blobId: number;
}

@Entity('active_storage_blobs')
export class SourceBlob {
  @IdColumn()
  id: number;

  /** Where its bytes are stored. */
  @TextColumn('key')
  key: string;

  @TextColumn('filename')
  filename: string;

  @TextColumn('content_type')
  contentType: string | null;

  @NumberColumn('byte_size')
  byteSize: number;

  /** MD5, in base64. */
  @TextColumn('checksum')
  checksum: string | null;
}

export const SOURCE_ENTITIES = [SourceUser, SourcePush, SourceLogEntry, SourceAttachment, SourceBlob];
