import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { blocksOf } from '../support/documents.js';
import type { Place } from '../support/place.js';
import { makePlace } from '../support/place.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';

const PROMISE = /^# → (.*)$/gm;
const LOCAL = 'http://localhost:5100';
const END_OF_OUTPUT = '\0';

describe.each([
  ['README.md', 16],
  ['docs/clients.md', 8],
])('The session in %s', (path, count) => {
  /** The bash blocks as one script. A line `# → …` in them promises what the command above it prints. */
  const session = blocksOf(path, 'bash').join('');
  const promises = [...session.matchAll(PROMISE)].map(([, promise = '']) => promise);
  let place: Place;
  let server: SpawnedServer;

  beforeAll(async () => {
    place = await makePlace();
    server = await spawnServer(place);
  });
  afterAll(async () => {
    await server.stop();
    await place.destroy();
  });

  it('prints what it promises', async () => {
    const outputs = await runMarked(session.replaceAll(LOCAL, server.url));

    expect(promises).toHaveLength(count);
    expect(outputs).toHaveLength(promises.length);
    outputs.forEach((output, i) => {
      expect(withoutSpace(output)).toMatch(asPattern((promises[i] ?? '').replaceAll(LOCAL, server.url)));
    });
  });

  /** Runs the script and tells what was printed before each promise. */
  async function runMarked(script: string): Promise<string[]> {
    const marked = script.replace(PROMISE, String.raw`printf '\0'`);
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', marked], {
      env: { PATH: process.env.PATH, HOME: place.dataDir, ...place.env },
    });
    return stdout.split(END_OF_OUTPUT).slice(0, -1);
  }
});

/** `{… "expired":true, … } 200` fits any answer with just this in it and just this status. */
function asPattern(promise: string): RegExp {
  const parts = withoutSpace(promise).split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\{}[\]().?*+^$|]/g, '\\$&')).join('.*')}$`);
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, '');
}
