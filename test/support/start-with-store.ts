import { makeInstance } from './instance.js';
import type { RunningApp, StartOptions, TestUser } from './start-app.js';
import { startApp } from './start-app.js';
import type { StartStore, TestStore } from './stores.js';

/** The whole app on its own file store, and a user with a token. */
export interface AppWithStore extends RunningApp {
  store: TestStore;
  user: TestUser;
}

export async function startWithStore(
  startStore: StartStore,
  env: Record<string, string> = {},
  adjust?: StartOptions['adjust'],
): Promise<AppWithStore> {
  const instance = await makeInstance();
  const store = await startStore(instance);
  const running = await startApp({ ...store.env, ...env }, { instance, ...(adjust && { adjust }) });
  return {
    ...running,
    store,
    user: await running.newUser(),
    stop: async () => {
      await running.stop();
      await store.stop();
      await instance.destroy();
    },
  };
}
