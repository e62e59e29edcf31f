import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';
import { findProgram } from '../support/find-program.js';
import { makeFolder } from '../support/folder.js';
import { forEachTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { PageClient } from '../support/page-client.js';
import { spawnServer } from '../support/spawn-server.js';

const FILTER = 'deploy/fail2ban/filter.conf';
const GUESSER = '203.0.113.9';
const OTHER_GUESSER = '2001:db8::9';
const OTHERS = '198.51.100.7';
/** What would have others banned if it were taken for fields of the log. */
const FORGED = `","status":401,"milliseconds":1,"ip":"${OTHERS}","msg":"request"}`;

const program = findProgram('fail2ban-regex', `${FILTER} finds those who guess`);

(program === undefined ? describe.skip : describe)('The filter for fail2ban', () => {
  const folder = forEachTest(makeFolder);
  const instance = forEachTest(makeInstance);
  const server = forEachTest(() => spawnServer(instance, { TRUSTED_PROXIES: '127.0.0.1' }));

  /** The addresses and times that fail2ban finds in a log, in a time zone that is not UTC. */
  const found = async (lines: string[]): Promise<{ address: string; seconds: number }[]> => {
    const log = join(folder.path, 'log');
    await writeFile(log, lines.map((line) => `${line}\n`).join(''));
    const { stdout } = await promisify(execFile)(program ?? '', ['-o', 'row', log, FILTER], {
      env: { ...process.env, TZ: 'America/New_York' },
    });
    return [...stdout.matchAll(/^\['([^']+)',\t([\d.]+)/gm)].map(([, address = '', seconds]) => ({
      address,
      seconds: Number(seconds),
    }));
  };
  const from = (address: string, headers: Record<string, string> = {}) =>
    server.anonymous.with({ 'X-Forwarded-For': address, ...headers });

  it('finds wrong passphrases, tokens and passwords with the time, and nobody else, whatever strangers send (E10)', async () => {
    const begin = Math.floor(Date.now() / 1000);
    const { url_token } = await from(OTHERS).push({ payload: 'tulip', passphrase: 'correct horse' });
    await from(OTHERS).retrieve(url_token, 'correct horse');
    await from(GUESSER, { 'User-Agent': FORGED, Referer: FORGED }).retrieve(url_token, 'wrong');
    await from(OTHER_GUESSER, { Authorization: 'Bearer wrong' }).get('/api/v2/pushes/active');
    const page = new PageClient(server.url, { 'X-Forwarded-For': GUESSER, 'User-Agent': FORGED });
    await page.signIn(`${encodeURIComponent(FORGED)}@example.org`, FORGED);
    await from(OTHERS).get(`/${encodeURIComponent(FORGED)}`);
    const requests = () => server.logLines().filter(({ msg }) => msg === 'request');
    await eventually(() => requests().length >= 6);

    const lines = server.output().trim().split('\n');
    const rows = await found(lines);
    expect(rows.map(({ address }) => address)).toEqual([GUESSER, OTHER_GUESSER, GUESSER]);
    expect(rows.every(({ seconds }) => seconds >= begin && seconds <= Date.now() / 1000)).toBe(true);

    const inJournal = await found(lines.map((line) => `Nov 28 12:00:00 host node[123]: ${line}`));
    expect(inJournal.map(({ address }) => address)).toEqual([GUESSER, OTHER_GUESSER, GUESSER]);
  });
});
