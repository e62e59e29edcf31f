import { eventually } from '../support/eventually.js';
import { testTheWalk } from './support/walk.js';
import type { Glewlwyd } from './support/glewlwyd.js';
import { startGlewlwyd } from './support/glewlwyd.js';
import { Installation } from './support/installation.js';

describe('Glewlwyd', () => {
  let provider: Glewlwyd;
  let installation: Installation;

  beforeAll(async () => {
    provider = await startGlewlwyd();
    installation = await Installation.start(provider);
  });
  afterAll(() => installation.stop());

  // it compares Basic without decoding it
  testTheWalk(() => installation, ['post', 'basic_raw']);

  it.each(['', '+3m', '-3m'])(
    'ends the session here when somebody signs out there, clock: %j',
    async (clock) => {
      await provider.restart(clock);
      const person = await installation.newPerson();
      const [here, elsewhere] = [await installation.signIn(person), await installation.signIn(person)];
      await provider.signOut(here.browser);
      await eventually(async () => !(await installation.isSignedIn(here.browser)));
      await provider.restart();
      expect(await installation.isSignedIn(elsewhere.browser)).toBe(true);
    },
  );
});
