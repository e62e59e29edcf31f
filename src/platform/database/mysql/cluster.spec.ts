import { StartError } from '../../settings/start-error.js';
import { clusterSession } from './cluster.js';

const SEVERAL_PRIMARIES = {
  group_replication_group_name: '8f1d0f6e-3d0c-4b5c-9d3a-5a1e0c42a042',
  group_replication_single_primary_mode: 'OFF',
  group_replication_enforce_update_everywhere_checks: 'OFF',
  innodb_native_foreign_keys: 'OFF',
};
const { innodb_native_foreign_keys: _, ...BEFORE_9_6 } = SEVERAL_PRIMARIES;

describe('A database server', () => {
  it.each<Record<string, string>>([
    {},
    { wsrep_on: 'OFF' },
    { group_replication_group_name: '', group_replication_single_primary_mode: 'OFF' },
  ])('with the variables %j is in no cluster', (variables) => {
    expect(clusterSession(variables)).toEqual([]);
  });

  it('makes reads wait for other nodes of its cluster', () => {
    expect(clusterSession({ wsrep_on: 'ON' })).toEqual(['SET SESSION wsrep_sync_wait = 1']);
    expect(clusterSession(SEVERAL_PRIMARIES)).toEqual([
      expect.stringMatching(/^SET SESSION group_replication_consistency = /),
    ]);
  });

  it.each<[Record<string, string>, RegExp]>([
    [
      { ...SEVERAL_PRIMARIES, group_replication_enforce_update_everywhere_checks: 'ON' },
      /everywhere_checks = OFF/,
    ],
    [{ ...SEVERAL_PRIMARIES, innodb_native_foreign_keys: 'ON' }, /MySQL 9\.6 or newer/],
    [BEFORE_9_6, /MySQL 9\.6 or newer/],
  ])('with the variables %j is refused, unless it has one primary', (variables, message) => {
    expect(() => clusterSession(variables)).toThrow(StartError);
    expect(() => clusterSession(variables)).toThrow(message);
    expect(clusterSession({ ...variables, group_replication_single_primary_mode: 'ON' })).toHaveLength(1);
  });
});
