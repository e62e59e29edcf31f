import { recipientError } from '../../shared/age-recipient.js';
import { parseAnswerFragment } from '../../../packages/client/src/end-to-end/answer-link.js';
import { isIdentity } from '../../../packages/client/src/end-to-end/key-file.js';

const DATABASE = 'sealpush';
const STORE = 'keys';

/** The key of a request, which decrypts its answers. */
export interface KeptKey {
  /** Of the link to answer the request. */
  fragment: string;
  identity: string;
  recipient: string;
  createdAt: Date;
}

/** Keeps a key in this browser; false if the browser does not allow it, or it is not kept for another reason. */
export async function keepKey({ fragment, identity, recipient, createdAt }: KeptKey): Promise<boolean> {
  const isKept = await changed((keys) => keys.put({ fragment, identity, recipient, createdAt }));
  if (isKept) askToPersist();
  return isKept;
}

/** All keys that this browser has kept; none if it does not allow that. */
export async function keptKeys(): Promise<KeptKey[]> {
  const values = await read<unknown[]>((keys) => keys.getAll());
  return (values ?? []).filter(isKeptKey);
}

/** The key of the request whose answer link has this fragment; undefined if this browser does not have it. */
export async function keptKey(fragment: string): Promise<KeptKey | undefined> {
  const value = await read<unknown>((keys) => keys.get(fragment));
  return isKeptKey(value) ? value : undefined;
}

/** Deletes a key from this browser; false if that has failed. */
export function forgetKey(fragment: string): Promise<boolean> {
  return changed((keys) => keys.delete(fragment));
}

/** Asks the browser not to delete what is stored here when it needs the space. */
function askToPersist(): void {
  const { storage } = navigator as { storage?: Partial<StorageManager> }; // absent on pages loaded over plain HTTP
  storage?.persist?.().catch(() => undefined);
}

async function changed<Value>(act: (keys: IDBObjectStore) => IDBRequest<Value>): Promise<boolean> {
  try {
    await run('readwrite', act);
    return true;
  } catch {
    return false;
  }
}

async function read<Value>(act: (keys: IDBObjectStore) => IDBRequest<Value>): Promise<Value | undefined> {
  try {
    return await run('readonly', act);
  } catch {
    return undefined;
  }
}

/** Resolves when what was changed is on the disk. */
async function run<Value>(
  mode: IDBTransactionMode,
  act: (keys: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, mode, { durability: 'strict' });
    const request = act(transaction.objectStore(STORE));
    await new Promise<unknown>((resolve, reject) => {
      transaction.addEventListener('complete', resolve);
      transaction.addEventListener('abort', reject);
    });
    return request.result;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(STORE, { keyPath: 'fragment' });
    });
    request.addEventListener('success', () => {
      resolve(request.result);
    });
    request.addEventListener('error', reject);
  });
}

function isKeptKey(value: unknown): value is KeptKey {
  const { fragment, identity, recipient, createdAt } = (value ?? {}) as Record<keyof KeptKey, unknown>;
  return (
    typeof fragment === 'string' &&
    parseAnswerFragment(fragment) === fragment &&
    typeof identity === 'string' &&
    isIdentity(identity) &&
    recipientError(recipient) === undefined &&
    createdAt instanceof Date &&
    Number.isFinite(createdAt.getTime())
  );
}
