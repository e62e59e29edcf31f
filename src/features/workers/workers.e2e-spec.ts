import { auditKinds, tally } from '../../../test/support/audit-kinds.js';
import { Client } from '../../../test/support/client.js';
import { newApiToken } from '../../../test/support/command.js';
import { allAtOnce, outcomes } from '../../../test/support/concurrent-calls.js';
import { eventually } from '../../../test/support/eventually.js';
import { makeInstance } from '../../../test/support/instance.js';
import { spawnServer } from '../../../test/support/spawn-server.js';

describe('WORKERS', () => {
  it.each([
    ['sockets of their own', {}],
    ['one of their supervisor', { PORT: '0' }],
  ])('serve with %s, keep to the view limit together, and log the start once (A1)', async (_, env) => {
    const instance = await makeInstance();
    const server = await spawnServer(instance, { WORKERS: '2', ...env });
    try {
      await eventually(() => server.output().includes('All workers serve'));
      const owner = new Client(server.url, { Authorization: `Bearer ${await newApiToken(instance)}` });
      const { url_token } = await owner.push({ payload: 'tulip', expire_after_views: 7 });
      const answers = await allAtOnce(100, () => server.anonymous.retrieve(url_token));

      expect(outcomes(answers, 'tulip')).toEqual({ shown: 7, expired: 93 });
      expect(tally(await auditKinds(owner, url_token))).toEqual({ creation: 1, view: 7, failed_view: 93 });
    } finally {
      await server.stop();
      await instance.destroy();
    }
    const lines = server.logLines();
    const stops = lines.filter(({ msg }) => msg === 'Stopped by SIGTERM');
    expect(lines.filter(({ msg }) => msg === 'Listening')).toHaveLength(1);
    expect(new Set(lines.map(({ process }) => process))).toEqual(
      new Set(['supervisor', 'worker-1', 'worker-2']),
    );
    expect(stops.map(({ process }) => process).sort()).toEqual(['supervisor', 'worker-1', 'worker-2']);
  });
});
