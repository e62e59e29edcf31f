import { StartError } from '../../settings/start-error.js';

/** Variables of a server that say whether it is a node of a cluster, and of which kind. */
export const CLUSTER_VARIABLES = [
  'wsrep_on', // Galera
  'group_replication_group_name',
  'group_replication_single_primary_mode',
  'group_replication_enforce_update_everywhere_checks',
  'innodb_native_foreign_keys',
];

/** Reads wait for commits on other nodes, so that a push created there is found here. */
const WAIT_ON_GALERA = 'SET SESSION wsrep_sync_wait = 1';

/**
 * The same for several primaries. A single one that has just been elected applies first what the old one has committed.
 * A stronger level that the operator has set is kept.
 */
const WAIT_IN_GROUP = `SET SESSION group_replication_consistency = CASE
  WHEN @@group_replication_single_primary_mode
    THEN IF(@@group_replication_consistency = 'EVENTUAL', 'BEFORE_ON_PRIMARY_FAILOVER', @@group_replication_consistency)
  ELSE IF(@@group_replication_consistency LIKE '%AFTER', 'BEFORE_AND_AFTER', 'BEFORE')
END`;

/**
 * The statements with which each connection to a server with these variables begins, if it is a node of a cluster.
 * @throws StartError when limits would not be exact
 */
export function clusterSession(variables: Record<string, string>): string[] {
  if (variables.wsrep_on === 'ON') return [WAIT_ON_GALERA];
  if (!variables.group_replication_group_name) return [];
  if (variables.group_replication_single_primary_mode === 'OFF') assertCascadesAreCertified(variables);
  return [WAIT_IN_GROUP];
}

/** Rows that a foreign key deletes are part of the detection of conflicts only where the server itself deletes them. */
function assertCascadesAreCertified(variables: Record<string, string>): void {
  if (variables.group_replication_enforce_update_everywhere_checks === 'ON')
    throw new StartError(
      'The database is in a group of several primaries that refuses tables with cascading foreign keys. Use one primary, or set group_replication_enforce_update_everywhere_checks = OFF on all nodes.',
    );
  if (variables.innodb_native_foreign_keys !== 'OFF')
    throw new StartError(
      'The database is in a group of several primaries, where rows that cascading foreign keys delete can differ between nodes. Use one primary, or MySQL 9.6 or newer with innodb_native_foreign_keys = OFF.',
    );
}
