import { testTheWalk } from './support/walk.js';
import { Installation, PRINTABLE } from './support/installation.js';
import type { LemonLdap } from './support/lemonldap.js';
import { startLemonLdap } from './support/lemonldap.js';

describe('LemonLDAP::NG', () => {
  let provider: LemonLdap;
  let installation: Installation;

  beforeAll(async () => {
    provider = await startLemonLdap();
    installation = await Installation.start(provider, { id: PRINTABLE.replace(' ', ''), secret: PRINTABLE });
  });
  afterAll(() => installation.stop());

  testTheWalk(() => installation);
});
