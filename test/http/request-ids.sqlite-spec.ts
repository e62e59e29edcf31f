import { connect } from 'node:net';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { spawnServer } from '../support/spawn-server.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const POST = ['POST /api/v2/pushes HTTP/1.1', 'Host: a', 'Content-Type: application/json'];

describe('The id of a request', () => {
  const instance = forAllTests(makeInstance);
  const server = forAllTests(() => spawnServer(instance));

  const requests = () => server.logLines().filter(({ msg }) => msg === 'request');
  const nextLine = async (act: () => unknown) => {
    const before = requests().length;
    await act();
    await eventually(() => requests().length > before);
    return requests()[before];
  };

  it('is in the response and in its line of the log', async () => {
    let id: string | undefined;
    const line = await nextLine(async () => {
      const [response] = await sendBytes(server.url, requestBytes(['GET /up HTTP/1.1', 'Host: a']));
      id = response?.headers['x-request-id'];
    });

    expect(line).toMatchObject({ requestId: id, status: 200 });
  });

  it.each([
    ['breaks off', requestBytes([...POST, 'Content-Length: 100'], '{"push":')],
    ['sends a body that cannot be read', requestBytes([...POST, 'Transfer-Encoding: chunked'], 'x\r\n')],
  ])('is in the line of a request whose client %s', async (_does, bytes) => {
    const line = await nextLine(() => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname, () => {
        socket.write(bytes, () => setImmediate(() => socket.end()));
      });
      socket.on('error', () => undefined).resume();
    });

    expect(line).toMatchObject({ requestId: expect.stringMatching(UUID), method: 'POST' });
    expect(line.status).not.toBe(200);
  });
});
