import { Push } from '../../src/pushes/push/push.entity.js';
import { periodOf } from '../../src/pushes/push/push-seal.js';
import { Keyring } from '../../src/sealing/keyring.js';
import type { RunningApp } from './start-app.js';

/** Rewrites the wrapped keys of all pushes in the earlier format, which is bound only to the id of the push. */
export async function unbindKeys({ app, dataSource }: RunningApp): Promise<void> {
  const keyring = app.get(Keyring);
  for (const push of await dataSource.manager.find(Push)) {
    const { id, masterKeyId, ownerKey, dataKey, tokenDigest, userId } = push;
    const unbound = (wrapped: Buffer, field: string, boundTo: string) => {
      const context = `push/${id}/${field}`;
      const bound = { masterKeyId, sealed: wrapped.subarray(1) };
      const key = keyring.unseal(bound, periodOf(id), `${context}/${boundTo}`);
      return keyring.seal(key, id, context).sealed;
    };
    await dataSource.manager.update(
      Push,
      { id },
      {
        ownerKey: ownerKey.length > 0 ? unbound(ownerKey, 'ownerKey', userId ?? 'nobody') : ownerKey,
        dataKey: dataKey && unbound(dataKey, 'dataKey', tokenDigest),
      },
    );
  }
}
