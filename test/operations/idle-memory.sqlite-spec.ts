import { eventually } from '../support/eventually.js';
import { makeInstance } from '../support/instance.js';
import { residentBytes } from '../support/resident-bytes.js';
import { spawnServer } from '../support/spawn-server.js';
import { forThisTest } from '../support/for-tests.js';

/** Less than what V8 keeps of a start for new objects. */
const FREED = 20_000_000;

describe('A server process that nobody uses', () => {
  it('frees what only its start needed', async () => {
    const instance = await forThisTest(makeInstance());
    const server = await forThisTest(spawnServer(instance));
    const atStart = residentBytes(server.process.pid);
    await eventually(() => residentBytes(server.process.pid) < atStart - FREED);
    expect((await server.anonymous.get('/up')).status).toBe(200);
  });
});
