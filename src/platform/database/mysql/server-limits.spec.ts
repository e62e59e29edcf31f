import { MULTIPART_FIELD_BYTES } from '../../http/body/body-limits.js';
import { StartError } from '../../settings/start-error.js';
import { MIB } from '../../settings/units.js';
import { assertUsable, LARGEST_WRITE, limitWarnings, writeLimitOf } from './server-limits.js';

/** The defaults of MariaDB. */
const ENOUGH = {
  max_allowed_packet: '16777216',
  max_binlog_cache_size: '18446744073709547520',
  max_connections: '151',
  max_user_connections: '0',
  max_prepared_stmt_count: '16382',
  log_bin: 'OFF',
  binlog_format: 'STATEMENT',
  read_only: 'OFF',
};
const FEW = { DATABASE_POOL_SIZE: 10, WORKERS: 1 };

describe('The limits of a database server', () => {
  it('are no reason for a warning by default', () => {
    expect(limitWarnings(ENOUGH, FEW)).toEqual([]);
    expect(() => {
      assertUsable(ENOUGH);
    }).not.toThrow();
  });

  it('must have room for the longest text and the rest of its row', () => {
    expect(LARGEST_WRITE).toBe(MULTIPART_FIELD_BYTES + MIB);
  });

  it.each<[Record<string, string>, string, number]>([
    [{ max_allowed_packet: '1048576' }, 'max_allowed_packet', 1_048_576],
    [{ max_binlog_cache_size: '4096', log_bin: 'ON' }, 'max_binlog_cache_size', 4096],
    [{ max_binlog_cache_size: '4096' }, 'max_allowed_packet', 16_777_216],
    [{ wsrep_on: 'ON', wsrep_max_ws_size: '2000000' }, 'wsrep_max_ws_size', 2_000_000],
    [{ wsrep_on: 'OFF', wsrep_max_ws_size: '2000000' }, 'max_allowed_packet', 16_777_216],
    [
      { group_replication_group_name: 'x', group_replication_transaction_size_limit: '999999' },
      'group_replication_transaction_size_limit',
      999_999,
    ],
    [
      { group_replication_group_name: 'x', group_replication_transaction_size_limit: '0' },
      'max_allowed_packet',
      16_777_216,
    ],
  ])('with %j limit a write by %s', (variables, variable, bytes) => {
    expect(writeLimitOf({ ...ENOUGH, ...variables })).toEqual({ variable, bytes });
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ max_allowed_packet: '1048576' }, /max_allowed_packet = 1048576: .* at least 5242880/],
    [
      { max_connections: '9' },
      /max_connections = 9, .* 10 connections \(DATABASE_POOL_SIZE 10 × WORKERS 1\)/,
    ],
    [{ max_user_connections: '5' }, /max_user_connections = 5/],
    [{ max_prepared_stmt_count: '999' }, /max_prepared_stmt_count = 999: .* at least 1000/],
    [{ read_only: 'ON' }, /read_only = ON/],
  ])('with %j are a warning', (variables, sentence) => {
    expect(limitWarnings({ ...ENOUGH, ...variables }, FEW)).toEqual([expect.stringMatching(sentence)]);
  });

  it('count the connections of all workers', () => {
    expect(limitWarnings(ENOUGH, { DATABASE_POOL_SIZE: 10, WORKERS: 16 })).toEqual([
      expect.stringMatching(/may open 160 connections/),
    ]);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ log_bin: 'ON' }, /binlog_format = STATEMENT/],
    [{ max_prepared_stmt_count: '0' }, /max_prepared_stmt_count = 0/],
    [{ max_allowed_packet: '16384' }, /max_allowed_packet = 16384/],
  ])('with %j refuse the start', (variables, sentence) => {
    expect(() => {
      assertUsable({ ...ENOUGH, ...variables });
    }).toThrow(StartError);
    expect(() => {
      assertUsable({ ...ENOUGH, ...variables });
    }).toThrow(sentence);
  });
});
