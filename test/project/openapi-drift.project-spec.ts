import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/for-tests.js';

const run = (...args: string[]) => promisify(execFile)(process.execPath, args);

describe('openapi.json', () => {
  const folder = forAllTests(makeFolder);

  it('matches the code; `npm run openapi` updates it', async () => {
    const fresh = join(folder.path, 'openapi.json');
    await run('node_modules/@nestjs/cli/bin/nest.js', 'build', '-c', 'nest-cli.openapi.json');
    await run('dist-openapi/tools/openapi/main.js', fresh);

    expect(JSON.parse(readFileSync('openapi.json', 'utf8'))).toEqual(JSON.parse(readFileSync(fresh, 'utf8')));
  }, 300_000); // it compiles the project

  it('matches the generated client types; `npm run openapi` updates them', async () => {
    const fresh = join(folder.path, 'api-types.ts');
    await run('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', fresh);

    expect(readFileSync('packages/client/src/api-types.ts', 'utf8')).toBe(readFileSync(fresh, 'utf8'));
  });
});
