import { testTheWalk } from './support/walk.js';
import { Installation, PRINTABLE } from './support/installation.js';
import { startGlewlwyd } from './support/glewlwyd.js';

describe('Glewlwyd', () => {
  let installation: Installation;

  beforeAll(async () => {
    installation = await Installation.start(await startGlewlwyd(), { id: PRINTABLE.replace(' ', ''), secret: PRINTABLE });
  });
  afterAll(() => installation.stop());

  testTheWalk(() => installation);
});
