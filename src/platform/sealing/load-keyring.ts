import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Leases } from '../database/leases.js';
import type { UnitOfWork } from '../database/transactions/unit-of-work.js';
import type { InstanceAudit } from '../instance-audit/instance-audit.service.js';
import type { Settings } from '../settings/settings.js';
import { StartError } from '../settings/start-error.js';
import { UnsealError } from './secretbox.js';
import { Keyring } from './keyring.js';
import { makeMasterKeyFile, masterKeyPath, readMasterKeyFile } from './master-key-file.js';
import { MasterKey } from './master-key.entity.js';

const POLL_MS = 100;

/**
 * The master keys that unseal all stored data: from the settings, or from DATA_DIR/master.key, created at first start.
 * @throws StartError when stored data is sealed with a key that is not available
 */
export async function loadKeyring(
  settings: Settings,
  dataSource: DataSource,
  unitOfWork: UnitOfWork,
  leases: Leases,
  audit: InstanceAudit,
): Promise<Keyring> {
  const path = masterKeyPath(settings);
  const keyring = await givenKeyring(settings);
  if (keyring && (await isRegistered(keyring, dataSource))) return keyring;

  // Of two replicas that start for the first time with different keys, only one may register its key.
  let registered: Keyring | undefined;
  const register = async () => {
    registered = keyring ?? (await firstKeyring(path, dataSource));
    if (await isRegistered(registered, dataSource)) return;
    const row = { id: registered.current, keyCheck: registered.keyCheck(), createdAt: new Date() };
    await unitOfWork.run(async (manager) => {
      const isFirst = !(await manager.exists(MasterKey));
      await manager.insert(MasterKey, row);
      if (isFirst) return; // it belongs to the new database
      await audit.recordWithin(manager, 'master_key_added', { details: { master_key: row.id } });
    });
  };
  while (!(await leases.runIfFree('master-keys', register))) await setTimeout(POLL_MS);
  return registered as unknown as Keyring;
}

/** The master keys in the settings or in DATA_DIR, if there are any. */
export async function givenKeyring(settings: Settings): Promise<Keyring | undefined> {
  const given = settings.MASTER_KEYS ?? (await readMasterKeyFile(masterKeyPath(settings)));
  return given && new Keyring(given);
}

/** The first of the stored master keys that is not among the given ones. */
export function missingKey(
  keyring: Keyring | undefined,
  stored: Pick<MasterKey, 'id' | 'keyCheck'>[],
): string | undefined {
  return stored.find(({ id, keyCheck }) => !keyring?.ids.includes(id) || !isOpened(keyring, id, keyCheck))
    ?.id;
}

function isOpened(keyring: Keyring, id: string, keyCheck: Buffer): boolean {
  try {
    keyring.verify(id, keyCheck);
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
}

/** Whether the current key is already in the database; every other stored key must be available. */
async function isRegistered(keyring: Keyring, dataSource: DataSource): Promise<boolean> {
  const stored = await dataSource.manager.find(MasterKey);
  const id = missingKey(keyring, stored);
  if (id !== undefined) throw missing(id);
  return stored.some((key) => key.id === keyring.current);
}

async function firstKeyring(path: string, dataSource: DataSource): Promise<Keyring> {
  const [stored] = await dataSource.manager.find(MasterKey);
  const createdMeanwhile = await readMasterKeyFile(path);
  if (stored && !createdMeanwhile) throw missing(stored.id);
  return new Keyring(createdMeanwhile ?? (await makeMasterKeyFile(path)));
}

function missing(id: string): StartError {
  return new StartError(
    `The database holds what was sealed with master key ${id}, which is not configured. ` +
      `Give it in MASTER_KEYS (or MASTER_KEYS_FILE), or put back DATA_DIR/master.key.`,
  );
}
