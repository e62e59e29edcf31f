import type { Socket } from 'node:net';
import type { HostilePeer } from '../../../test/support/hostile-peer.js';
import { BUFFERED_BYTES, drip, flood, startHostilePeer } from '../../../test/support/hostile-peer.js';
import { Proxies } from '../../platform/settings/proxies.js';
import { Settings } from '../../platform/settings/settings.js';
import { WebhookSettings } from './webhooks.settings.js';
import { DestinationRules } from './destination-rules.js';
import { WebhookClient, HostLookup } from './webhook-client.js';

const SETTINGS = Object.assign(new WebhookSettings(), { WEBHOOK_ALLOWED_NETWORKS: ['127.0.0.0/8'] });
const RULES = new DestinationRules(SETTINGS);

describe('The receiver of a webhook', () => {
  let peer: HostilePeer;

  afterEach(() => peer.stop());

  const post = async (behave: (socket: Socket) => void, { protocol = 'http', timeoutMs = 60_000 } = {}) => {
    peer = await startHostilePeer(behave);
    const client = Object.assign(new WebhookClient(RULES, new HostLookup(), new Proxies(new Settings())), {
      timeoutMs,
    });
    const url = new URL(`${protocol}://127.0.0.1:${peer.port}/`);
    return client.post({ url, headers: { 'Content-Length': 2 }, body: '{}' });
  };

  it.each([
    ['103 Early Hints', flood('HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['100 Continue', flood('HTTP/1.1 100 Continue\r\n\r\n')],
    ['headers', flood('A: b\r\n', 'HTTP/1.1 200 OK\r\n')],
    ['one header', flood('tulip', 'HTTP/1.1 200 OK\r\nA: ')],
  ])('that sends %s without end is read only for some kilobytes (M6)', async (_what, behave) => {
    await expect(post(behave)).rejects.toMatchObject({ code: 'RESPONSE_TOO_LONG', type: 'destination' });
    await peer.stop();

    expect(peer.sentBytes()).toBeLessThan(BUFFERED_BYTES);
  });

  it.each([
    ['103 Early Hints', drip('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 ')],
    ['headers', drip('HTTP/1.1 200 OK\r\nA: ')],
  ])('that sends %s byte by byte has only the time of an attempt (M6)', async (_what, behave) => {
    await expect(post(behave, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('that sends TLS records without end is read only for some kilobytes (M6)', async () => {
    // the beginning of a ServerHello, the rest of which is longer than any
    const records = flood(
      '\x16\x03\x03\x40\x00' + 'a'.repeat(16_384),
      '\x16\x03\x03\x00\x04\x02\x00\xff\xff',
    );
    await expect(post(records, { protocol: 'https' })).rejects.toThrow();
    await peer.stop();

    expect(peer.sentBytes()).toBeLessThan(BUFFERED_BYTES);
  });

  it('has received the message when its status arrives, however long the body is (M6)', async () => {
    expect(await post(flood('tulip', 'HTTP/1.1 200 OK\r\n\r\n'))).toBe(200);
    await peer.stop();
    expect(peer.sentBytes()).toBeLessThan(BUFFERED_BYTES);

    expect(await post(drip('HTTP/1.1 204 No Content\r\n\r\n'))).toBe(204);
    expect(await post(drip('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n'), { timeoutMs: 1000 })).toBe(
      200,
    );
  });
});
