import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = (...args: string[]) => promisify(execFile)(process.execPath, args);

describe('openapi.json', () => {
  let folder: string;

  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'sealpush-openapi-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('matches the code; `npm run openapi` updates it', async () => {
    const fresh = join(folder, 'openapi.json');
    await run('node_modules/@nestjs/cli/bin/nest.js', 'build', '-c', 'nest-cli.openapi.json');
    await run('dist-openapi/tools/openapi/main.js', fresh);

    expect(JSON.parse(readFileSync('openapi.json', 'utf8'))).toEqual(JSON.parse(readFileSync(fresh, 'utf8')));
  }, 300_000); // it compiles the project

  it('matches the generated client types; `npm run openapi` updates them', async () => {
    const fresh = join(folder, 'api-types.ts');
    await run('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', fresh);

    expect(readFileSync('test/support/api-types.ts', 'utf8')).toBe(readFileSync(fresh, 'utf8'));
  });
});
