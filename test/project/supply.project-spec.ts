import { readFileSync } from 'node:fs';

const dockerfile = readFileSync('Dockerfile', 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const stages = dockerfile.join('\n').split(/^(?=FROM )/m);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

interface Locked {
  name?: string;
  version?: string;
  dependencies?: object;
  devDependencies?: object;
  integrity?: string;
  resolved?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

const argumentsOf = (instruction: string, lines = dockerfile) =>
  lines
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1));

describe('The image', () => {
  const last = stages.at(-1)?.split('\n') ?? [];

  it('runs as a user that cannot change the code (K1)', () => {
    expect(argumentsOf('USER', last)).toEqual(['node']);
    expect(argumentsOf('COPY', last).filter((copied) => /--ch(own|mod)/.test(copied))).toEqual([]);
    expect(argumentsOf('RUN', last)).toEqual(['install -d -o node -g node -m 1777 /data']);
  });

  it('downloads only packages of the lock file, and runs none of their scripts (K3)', () => {
    const install = /^npm ci (--omit=dev )?--ignore-scripts --no-audit --no-fund$/;
    const runs = argumentsOf('RUN').filter((run) => /\b(npm|npx|curl|wget|git|apt-get)\b/.test(run));

    expect(runs.filter((run) => install.test(run))).toHaveLength(2);
    expect(runs.filter((run) => !install.test(run))).toEqual(['npm run build']);
    expect(argumentsOf('ADD')).toEqual([]);
  });

  it('is built from one base image, by its digest (K3)', () => {
    const bases = argumentsOf('FROM').map((from) => from.replace(/^--platform=\S+ /, '').split(' ')[0]);

    expect([...new Set(bases)]).toEqual(['${NODE_IMAGE}']);
    expect(argumentsOf('ARG')[0]).toMatch(/^NODE_IMAGE=node:24-slim@sha256:[0-9a-f]{64}$/);
  });

  it('starts the service as `npm start` does', () => {
    const [command = ''] = argumentsOf('CMD', last);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

    expect(JSON.parse(command).join(' ')).toBe(scripts.start);
  });
});

describe.each([
  ['package.json', 900],
  ['.github/sbom/package.json', 20],
])('The lock file of %s', (manifest, least) => {
  const ours = JSON.parse(readFileSync(manifest, 'utf8'));
  const lock = JSON.parse(readFileSync(manifest.replace('.json', '-lock.json'), 'utf8'));
  const { '': root, ...theirs } = lock.packages as Record<string, Locked>;

  it('has a digest for each package and downloads packages only from the registry of npm (K3)', () => {
    const unchecked = Object.entries(theirs).filter(
      ([, { integrity, resolved = '' }]) =>
        !integrity?.startsWith('sha512-') ||
        !/^(https:\/\/registry\.npmjs\.org\/.+\/-\/[^/]+\.tgz)?$/.test(resolved),
    );

    expect(lock.lockfileVersion).toBe(3);
    expect(Object.keys(theirs).length).toBeGreaterThan(least);
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  it('agrees with it', () => {
    const keys = ['name', 'version', 'dependencies', 'devDependencies'] as const;

    for (const key of keys) expect(root?.[key]).toEqual(ours[key]);
  });
});

describe('Install scripts', () => {
  it('exist only in known packages, and package.json allows only one of them (K3)', () => {
    const installing = Object.entries(packages as Record<string, Locked>).filter(
      ([, { hasInstallScript }]) => hasInstallScript,
    );
    const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));

    expect(installing.filter(([, { dev }]) => !dev)).toEqual([]);
    expect(installing.map(([path]) => path.replace('node_modules/', ''))).toEqual([
      '@parcel/watcher',
      '@scarf/scarf',
      '@swc/core',
      'esbuild',
      'node',
      'unrs-resolver',
    ]);
    expect(Object.keys(allowScripts as object).filter((name) => allowScripts[name])).toEqual(['node']);
  });
});
