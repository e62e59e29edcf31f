import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../support/folder.js';
import { forEachTest } from '../support/for-tests.js';

const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'openapi.json', 'Dockerfile'];
const DIGESTS = 'dist/client/integrity.json';

describe('A release', () => {
  const folder = forEachTest(makeFolder);

  beforeEach(() => {
    for (const file of FILES) copyFileSync(file, join(folder.path, file));
  });

  const version = JSON.parse(readFileSync('package.json', 'utf8')).version as string;
  const run = (script: string, ...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
      execFile(
        process.execPath,
        [resolve('scripts', script), ...args],
        { cwd: folder.path },
        (error, stdout, stderr) => {
          done({ code: error?.code ?? 0, stdout, stderr });
        },
      );
    });
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true });
    writeFileSync(join(folder.path, file), text);
  };
  const change = (file: string, from: string | RegExp, to: string) => {
    const text = readFileSync(join(folder.path, file), 'utf8');
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    write(file, changed);
  };

  it('has one version everywhere, also in its tag', async () => {
    write('deploy/helm/sealpush/Chart.yaml', `appVersion: ${version}\n`);

    expect(await run('release-check.mjs', `v${version}`)).toEqual({
      code: 0,
      stdout: `release:check: ${version} everywhere\n`,
      stderr: '',
    });
  });

  it('names each place that states another version', async () => {
    change('package-lock.json', /"version": "[^"]+"/, '"version": "1.0.1"');
    change('package-lock.json', /("": \{\s+"name": "sealpush",\s+"version": )"[^"]+"/, '$1"1.0.2"');
    change('CHANGELOG.md', `## [${version}]`, '## [1.0.3]');
    change('openapi.json', `"version": "${version}"`, '"version": "1.0.4"');
    change('Dockerfile', `image.version="${version}"`, 'image.version="1.0.5"');
    write('deploy/helm/sealpush/Chart.yaml', 'appVersion: "1.0.6"\n');

    const { code, stderr } = await run('release-check.mjs', 'v1.0.7');

    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual(
      [
        'package-lock.json, version: 1.0.1',
        'package-lock.json, packages: 1.0.2',
        'CHANGELOG.md, newest release: 1.0.3',
        'openapi.json, info.version: 1.0.4',
        'Dockerfile, label org.opencontainers.image.version: 1.0.5',
        'deploy/helm/sealpush/Chart.yaml, appVersion: 1.0.6',
        'tag: 1.0.7',
      ].map((place) => `release:check: ${place} instead of ${version}`),
    );
  });

  it('refuses a tag without v, a heading without a date, and changes that are not in a release', async () => {
    change('CHANGELOG.md', /^## \[.*$/m, `## [Unreleased]\n\n- Something\n\n## [${version}]`);

    expect(await run('release-check.mjs', version)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `release:check: tag: ${version} does not start with v\n` +
        `release:check: CHANGELOG.md: the heading of ${version} has no date\n` +
        'release:check: CHANGELOG.md: has changes under Unreleased\n',
    });
    expect((await run('release-check.mjs')).stderr).not.toContain('Unreleased'); // only a tag ends it
  });

  it('has notes with its changes only, and with the digests of the scripts', async () => {
    change('CHANGELOG.md', /^\[/m, '## [1.0.0] - 2020-01-01\n\n- Something old\n\n[');
    write(DIGESTS, '{ "open.js": "sha384-tulip" }\n');

    const { code, stdout } = await run('release-notes.mjs');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^The first version\./);
    expect(stdout).toContain('\n### Security\n');
    expect(stdout).toMatch(/```json\n\{ "open\.js": "sha384-tulip" \}\n```\n$/);
    expect(stdout).not.toContain('Something old');
    expect(stdout).not.toMatch(/^\[.*\]: /m);
  });

  it('has no notes without a build, or without a section of the changelog', async () => {
    expect(await run('release-notes.mjs')).toEqual({
      code: 1,
      stdout: '',
      stderr: `release:notes: ${DIGESTS} is missing: run npm run build\n`,
    });

    change('CHANGELOG.md', `## [${version}]`, '## [1.0.0]');
    expect(await run('release-notes.mjs')).toEqual({
      code: 1,
      stdout: '',
      stderr: `release:notes: CHANGELOG.md has no section for ${version}\n`,
    });
  });
});
