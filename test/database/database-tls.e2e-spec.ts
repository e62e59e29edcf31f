import type { Instance } from '../support/instance.js';
import { makeSqliteInstance } from '../support/instance.js';
import { cli } from '../support/spawn-server.js';
import type { TlsServer } from '../support/tls-mysql-server.js';
import { startTlsServer } from '../support/tls-mysql-server.js';

describe('DATABASE_URL with tls=true', () => {
  let instance: Instance;
  let ours: TlsServer;
  let elsewhere: TlsServer;

  beforeAll(async () => {
    instance = await makeSqliteInstance();
    ours = await startTlsServer(instance.dataDir, 'localhost');
    elsewhere = await startTlsServer(instance.dataDir, 'elsewhere.example.org');
  });
  afterAll(async () => {
    await ours.stop();
    await elsewhere.stop();
    await instance.destroy();
  });

  it('sends the login to a server with a matching certificate', async () => {
    await expect(connectTo(ours, ours.authorityFile)).rejects.toMatchObject({
      stderr: expect.stringMatching(/PROTOCOL_CONNECTION_LOST/), // the test server only closes the connection
    });

    expect(ours.bytesTold()).toBeGreaterThan(0);
  });

  it('sends nothing to a server with a certificate from an unknown issuer (G2)', async () => {
    await expect(connectTo(elsewhere)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be used/),
    });

    expect(elsewhere.bytesTold()).toBe(0);
  });

  it('sends nothing to a server with a certificate for another host (G2)', async () => {
    await expect(connectTo(elsewhere, elsewhere.authorityFile)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be used/),
    });

    expect(elsewhere.bytesTold()).toBe(0);
  });

  function connectTo({ port }: TlsServer, authorityFile?: string): Promise<unknown> {
    const env: Record<string, string> = {
      DATA_DIR: instance.dataDir,
      DATABASE_URL: `mysql://me:secret@localhost:${port}/sealpush?tls=true`,
    };
    if (authorityFile !== undefined) env.NODE_EXTRA_CA_CERTS = authorityFile;
    return cli({ ...instance, env }, 'migration:run');
  }
});
