import { randomBytes } from 'node:crypto';
import { PushKeyRotation } from '../../src/pushes/key-rotation/push-key-rotation.js';
import { RowKeyRotation } from '../../src/platform/sealing/row-key-rotation.js';
import { forThisTest } from './for-tests.js';
import { makeInstance } from './instance.js';
import type { RunningApp } from './start-app.js';
import { startApp } from './start-app.js';

/** Replaces the master key of an instance after something was made there: returns that, and the app with the new key alone. */
export async function replaceKey<T>(
  make: (before: RunningApp) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<{ made: T; later: RunningApp }> {
  const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const instance = await forThisTest(makeInstance());
  const start = (keys: string) => forThisTest(startApp({ ...settings, MASTER_KEYS: keys }, { instance }));
  const before = await start(old);
  const made = await make(before);
  await before.stop();
  const during = await start(`${next},${old}`);
  const broken = await during.app.get(RowKeyRotation).rotate();
  const { retired } = await during.app.get(PushKeyRotation).rotate();
  await during.stop();
  expect([broken, retired]).toEqual([0, [expect.any(String)]]);
  return { made, later: await start(next) };
}
