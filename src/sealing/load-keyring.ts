import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Leases } from '../database/leases.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import type { Settings } from '../settings/settings.js';
import { StartError } from '../settings/start-error.js';
import { SealBroken } from './secretbox.js';
import { Keyring } from './keyring.js';
import { makeMasterKeyFile, masterKeyPath, readMasterKeyFile } from './master-key-file.js';
import { MasterKey } from './master-key.entity.js';

const POLL_MS = 100;

/**
 * The master keys that open all stored data: from the settings, or from DATA_DIR/master.key, created at first start.
 * @throws StartError when stored data is sealed with a key that is not available
 */
export async function loadKeyring(
  settings: Settings,
  dataSource: DataSource,
  unitOfWork: UnitOfWork,
  leases: Leases,
): Promise<Keyring> {
  const path = masterKeyPath(settings);
  const given = settings.MASTER_KEYS ?? (await readMasterKeyFile(path));
  const keyring = given && new Keyring(given);
  if (keyring && (await isRegistered(keyring, dataSource))) return keyring;

  // Of two replicas that start for the first time with different keys, only one may register its key.
  let registered: Keyring | undefined;
  const register = async () => {
    registered = keyring ?? (await firstKeyring(path, dataSource));
    if (await isRegistered(registered, dataSource)) return;
    const row = { id: registered.current, proof: registered.prove(), createdAt: new Date() };
    await unitOfWork.run((manager) => manager.insert(MasterKey, row));
  };
  while (!(await leases.tryHold('master-keys', register))) await setTimeout(POLL_MS);
  return registered as unknown as Keyring;
}

/** Whether the current key is already in the database; every other stored key must be available. */
async function isRegistered(keyring: Keyring, dataSource: DataSource): Promise<boolean> {
  const stored = await dataSource.manager.find(MasterKey);
  for (const { id, proof } of stored) {
    if (!keyring.ids.includes(id)) throw missing(id);
    try {
      keyring.verify(id, proof);
    } catch (error) {
      if (error instanceof SealBroken) throw missing(id);
      throw error;
    }
  }
  return stored.some(({ id }) => id === keyring.current);
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
