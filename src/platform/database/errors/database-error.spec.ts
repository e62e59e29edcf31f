import '../engines/engines.js';
import {
  CommitOutcomeUnknown,
  isDuplicate,
  isMissingParent,
  isRefusedByServer,
  isRetryableConflict,
  isUnavailable,
} from './database-error.js';

const wrapped = (code: string) => Object.assign(new Error('query failed'), { driverError: { code } });
const plain = (code: string) => Object.assign(new Error('query failed'), { code });

describe('A database error', () => {
  it.each([
    'SQLITE_BUSY',
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_FULL',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_IOERR_WRITE',
    'SQLITE_CANTOPEN',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'PROTOCOL_CONNECTION_LOST',
    'ER_CON_COUNT_ERROR',
    'ER_LOCK_DEADLOCK',
  ])('with code %s means temporarily unavailable', (code) => {
    expect([isUnavailable(wrapped(code)), isUnavailable(plain(code))]).toEqual([true, true]);
  });

  it.each([
    'SQLITE_CONSTRAINT_UNIQUE',
    'SQLITE_CORRUPT',
    'SQLITE_ERROR',
    'ER_DUP_ENTRY',
    'ER_PARSE_ERROR',
    '',
  ])('with code %s does not mean temporarily unavailable', (code) => {
    expect(isUnavailable(wrapped(code))).toBe(false);
  });

  it('that is fatal and has no code means temporarily unavailable', () => {
    const closed = Object.assign(new Error('connection is in closed state'), { fatal: true });

    expect(isUnavailable(closed)).toBe(true);
    expect(isUnavailable(Object.assign(new Error('query failed'), { driverError: closed }))).toBe(true);
    expect(isUnavailable(new TypeError('a mistake of ours'))).toBe(false);
  });

  it.each([
    'ER_BEFORE_DML_VALIDATION_ERROR',
    'ER_OPTION_PREVENTS_STATEMENT',
    'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
    'ER_READ_ONLY_MODE',
    'ER_INNODB_READ_ONLY',
    'ER_OPEN_AS_READONLY',
    'ER_SERVER_OFFLINE_MODE',
    'ER_RUN_HOOK_ERROR',
    'ER_UNKNOWN_COM_ERROR',
  ])('with code %s is a refusal by this server, so the database is unavailable', (code) => {
    expect([isRefusedByServer(wrapped(code)), isRefusedByServer(plain(code))]).toEqual([true, true]);
    expect([isUnavailable(wrapped(code)), isRetryableConflict(wrapped(code))]).toEqual([true, false]);
  });

  it.each(['ER_LOCK_DEADLOCK', 'ER_DUP_ENTRY', 'ECONNREFUSED', 'ER_SERVER_SHUTDOWN', ''])(
    'with code %s is no refusal by this server',
    (code) => {
      expect(isRefusedByServer(wrapped(code))).toBe(false);
    },
  );

  it.each([
    'ER_LOCK_DEADLOCK',
    'ER_LOCK_WAIT_TIMEOUT',
    'ER_CHECKREAD',
    'ER_ERROR_DURING_COMMIT',
    'ER_TRANSACTION_ROLLBACK_DURING_COMMIT',
  ])('with code %s is a lost race and can be retried', (code) => {
    expect(isRetryableConflict(wrapped(code))).toBe(true);
  });

  it('of another kind is neither a lost race nor a duplicate', () => {
    for (const error of [wrapped('ER_DUP_ENTRY_X'), wrapped('SQLITE_BUSY'), new Error('x'), plain('1213')]) {
      expect([isRetryableConflict(error), isDuplicate(error)]).toEqual([false, false]);
    }
  });

  it.each(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])(
    'with code %s is a duplicate',
    (code) => {
      expect(isDuplicate(wrapped(code))).toBe(true);
    },
  );

  it.each<[string, Partial<Record<'conflict' | 'refusal' | 'unavailable' | 'duplicate' | 'orphan', true>>]>([
    ['40001', { conflict: true, unavailable: true }],
    ['40P01', { conflict: true, unavailable: true }],
    ['55P03', { conflict: true, unavailable: true }],
    ['25006', { refusal: true, unavailable: true }],
    ['57P01', { refusal: true, unavailable: true }],
    ['57P03', { refusal: true, unavailable: true }],
    ['08006', { unavailable: true }],
    ['53300', { unavailable: true }],
    ['57014', { unavailable: true }],
    ['58030', { unavailable: true }],
    ['23505', { duplicate: true }],
    ['23503', { orphan: true }],
    ['25P02', {}],
    ['42601', {}],
    ['22021', {}],
  ])('of PostgreSQL with code %s means %j', (code, meaning) => {
    const error = wrapped(code);

    expect({
      ...(isRetryableConflict(error) && { conflict: true }),
      ...(isRefusedByServer(error) && { refusal: true }),
      ...(isUnavailable(error) && { unavailable: true }),
      ...(isDuplicate(error) && { duplicate: true }),
      ...(isMissingParent(error) && { orphan: true }),
    }).toEqual(meaning);
  });

  it('that answers a commit is never a refusal, after which the transaction could be repeated', () => {
    const error = new CommitOutcomeUnknown('COMMIT', [], Object.assign(new Error('x'), { code: '57P01' }));

    expect([isUnavailable(error), isRefusedByServer(error)]).toEqual([true, false]);
  });
});
