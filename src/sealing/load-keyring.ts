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
 * The master keys that open all that is stored: the settings', or those of DATA_DIR/master.key, made at the first start.
 * @throws StartError when something stored is sealed with a key that is not at hand
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

  // Two replicas that start for the first time with different keys must not both be right.
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

/** Whether the key that seals is known already; every other stored key must be at hand. */
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
  const madeMeanwhile = await readMasterKeyFile(path);
  if (stored && !madeMeanwhile) throw missing(stored.id);
  return new Keyring(madeMeanwhile ?? (await makeMasterKeyFile(path)));
}

function missing(id: string): StartError {
  return new StartError(
    `The database holds what was sealed with master key ${id}, which is not at hand. ` +
      `Give it in MASTER_KEYS (or MASTER_KEYS_FILE), or put back DATA_DIR/master.key.`,
  );
}
