import { StreamedResponses } from '../../src/platform/http/streamed-responses.js';
import { DownloadsService } from '../../src/files/downloads.service.js';
import { MemoryBudget } from '../../src/platform/settings/memory-budget.js';
import { archiveLink } from '../support/archives.js';
import { eventually } from '../support/eventually.js';
import { linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const MAX_STREAMED_TO_NETWORK = new MemoryBudget(1).streamedResponses / 2;
const FILES = ['a', 'b'].map((name) => ({ name, content: 'tulip' }));

describe('Downloads at the same time', () => {
  const running = forAllTests(() =>
    startApp({ TRUSTED_PROXIES: '127.0.0.1', FILES_REQUIRE_AUTHENTICATION: 'false' }),
  );

  afterEach(() => jest.restoreAllMocks());

  /** The first of them wait for `release`. */
  function holdDownloads(count: number) {
    const downloads = running.app.get(DownloadsService);
    const open = downloads.open.bind(downloads);
    const { promise: released, resolve } = Promise.withResolvers<unknown>();
    let begun = 0;
    jest.spyOn(downloads, 'open').mockImplementation(async (...asked) => {
      begun += 1;
      if (begun <= count) await released;
      return open(...asked);
    });
    return { begun: () => begun, release: resolve };
  }

  it('are limited for one client network, archives and audit logs with them, and not for others (M5)', async () => {
    const { client } = await running.newUser();
    const { url_token } = await pushFiles(running.anonymous, FILES);
    const [file = ''] = await linksOf(running.anonymous, url_token);
    const archive = await archiveLink(running.url, url_token);
    const from = async (address: string, url: string) => {
      const headers = { 'X-Forwarded-For': address, ...client.headers };
      const response = await fetch(url, { headers });
      return { status: response.status, headers: response.headers, body: await response.text() };
    };
    const responses = running.app.get(StreamedResponses);
    const begin = responses.begin.bind(responses);
    // on a slow machine they would give way as stalled
    jest.spyOn(responses, 'begin').mockImplementation((request, response) => {
      begin(request, response, 0);
    });
    const held = holdDownloads(MAX_STREAMED_TO_NETWORK);
    const all = Array.from({ length: MAX_STREAMED_TO_NETWORK }, (_, i) =>
      from('192.0.2.1', i % 2 === 0 ? file : archive),
    );
    await eventually(() => held.begun() === MAX_STREAMED_TO_NETWORK);

    for (const url of [file, archive, `${running.url}/api/v2/audit`]) {
      const refused = await from('192.0.2.1', url);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(refused.headers.get('content-disposition')).toBeNull();
      expect((await from('192.0.2.2', url)).status).toBe(200);
    }
    expect((await from('192.0.2.1', `${running.url}/api/v2/version`)).status).toBe(200);

    held.release(undefined);
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await from('192.0.2.1', file)).body).toBe('tulip');
  });
});
