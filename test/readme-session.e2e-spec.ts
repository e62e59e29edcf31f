import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Place } from './support/place.js';
import { makePlace } from './support/place.js';
import type { SpawnedServer } from './support/spawn-server.js';
import { spawnServer } from './support/spawn-server.js';

const PROMISE = /^# → (.*)$/gm;
const END_OF_OUTPUT = '\0';

/** The README's bash blocks as one script. A line `# → …` in them promises what the command above it prints. */
const session = [...readFileSync('README.md', 'utf8').matchAll(/^```bash\n(.*?)^```$/gms)]
  .map(([, block]) => block)
  .join('');
const promises = [...session.matchAll(PROMISE)].map(([, promise = '']) => promise);

describe('The session in the README', () => {
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
    const outputs = await runMarked(session.replaceAll('http://localhost:5100', server.url));

    expect(promises).toHaveLength(16);
    expect(outputs).toHaveLength(promises.length);
    outputs.forEach((output, i) => {
      expect(withoutSpace(output)).toMatch(asPattern(promises[i] ?? ''));
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
