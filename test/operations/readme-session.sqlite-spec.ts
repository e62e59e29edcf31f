import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hasAge, sayIfAgeIsMissing } from '../support/age.js';
import { CHILD_ENV } from '../support/child-env.js';
import { blocksOf } from '../support/documents.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { spawnServer } from '../support/spawn-server.js';

const EXPECTED = /^# → (.*)$/gm;
const LOCAL = 'http://localhost:5100';
const END_OF_OUTPUT = '\0';

sayIfAgeIsMissing();

const SESSIONS: [paths: string, outputs: number][] = [
  ['README.md', 2],
  ['docs/curl.md', 19],
  ['docs/clients.md', 8],
  ['docs/install/systemd.md', 2], // as the other pages
  ...(hasAge ? [['docs/end-to-end.md', 12] as [string, number]] : []),
  // one after the other, in one shell and on one database
  [`README.md, docs/curl.md${hasAge ? ', docs/end-to-end.md' : ''}`, hasAge ? 33 : 21],
];

describe.each(SESSIONS)('The session in %s', (paths, count) => {
  /** The bash blocks as one script. A line `# → …` states the expected output of the command above it. */
  const session = paths
    .split(', ')
    .flatMap((path) => blocksOf(path, 'bash'))
    .join('');
  const expected = [...session.matchAll(EXPECTED)].map(([, output = '']) => output);
  const instance = forAllTests(makeInstance);
  const server = forAllTests(() => spawnServer(instance, { ENABLE_REQUESTS_API: 'true' }));

  it('prints the documented output', async () => {
    const outputs = await outputsOf(session.replaceAll(LOCAL, server.url));

    expect(expected).toHaveLength(count);
    expect(outputs).toHaveLength(expected.length);
    outputs.forEach((output, i) => {
      expect(withoutSpace(output)).toMatch(asPattern((expected[i] ?? '').replaceAll(LOCAL, server.url)));
    });
  });

  /** Runs the script and returns the output before each `# → …` line. */
  async function outputsOf(script: string): Promise<string[]> {
    const marked = script.replace(EXPECTED, String.raw`printf '\0'`);
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', marked], {
      env: { ...CHILD_ENV, HOME: instance.dataDir, ...instance.env },
    });
    return stdout.split(END_OF_OUTPUT).slice(0, -1);
  }
});

/** In `{… "expired":true, … } 200`, each `…` matches any text, and the rest must match exactly, except for spaces. */
function asPattern(expected: string): RegExp {
  const parts = withoutSpace(expected).split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\{}[\]().?*+^$|]/g, '\\$&')).join('.*')}$`);
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, '');
}
