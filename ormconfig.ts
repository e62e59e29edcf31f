// For TypeORM's own command line, after a build: npm run typeorm -- migration:show
import { ApiToken } from './dist/auth/api-token.entity.js';
import { AuditEntry } from './dist/audit/audit-entry.entity.js';
import { Session } from './dist/auth/session.entity.js';
import { SignInAttempt } from './dist/auth/sign-in-attempt.entity.js';
import { User } from './dist/auth/user.entity.js';
import { prepared } from './dist/database/connect.js';
import { dataSourceOptions } from './dist/database/data-source-options.js';
import { Lease } from './dist/database/lease.entity.js';
import { StoredFile } from './dist/files/file.entity.js';
import { PassphraseAttempt } from './dist/pushes/passphrase-attempt.entity.js';
import { Push } from './dist/pushes/push.entity.js';
import { MasterKey } from './dist/sealing/master-key.entity.js';
import { readSettings } from './dist/settings/read-settings.js';
import { DataSource } from 'typeorm';

const entities = [
  ApiToken,
  AuditEntry,
  Lease,
  MasterKey,
  PassphraseAttempt,
  Push,
  Session,
  SignInAttempt,
  StoredFile,
  User,
];

export default dataSourceOptions(readSettings(process.env)).then((options) =>
  prepared(new DataSource({ ...options, entities })),
);
