import { connect } from 'node:net';
import { auditKinds } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { requestBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';

describe('A response that is lost', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  it('counts as a view, and the secret is not shown again (A7)', async () => {
    const { url_token } = await owner.client.push({ payload: 'x'.repeat(1_000_000), expire_after_views: 1 });
    await disconnectAtFirstByte(`/api/v2/pushes/${url_token}`);

    const { body } = await running.anonymous.retrieve(url_token);
    expect(body).toMatchObject({ expired: true, payload: null, views_remaining: 0 });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view', 'failed_view']);
  });

  /** Requests a path, and resets the connection at the first byte of the response. */
  function disconnectAtFirstByte(path: string): Promise<void> {
    const { hostname, port } = new URL(running.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(requestBytes([`GET ${path} HTTP/1.1`, 'Host: push.example.org']));
      });
      socket.once('data', () => {
        socket.resetAndDestroy();
      });
      socket.once('error', reject);
      socket.once('close', () => {
        resolve();
      });
    });
  }
});
