import { readFileSync } from 'node:fs';

const dockerfile = readFileSync('Dockerfile', 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const stages = dockerfile.join('\n').split(/^(?=FROM )/m);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const argumentsOf = (instruction: string, lines = dockerfile) =>
  lines
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1));

describe('The image', () => {
  const last = stages.at(-1)?.split('\n') ?? [];

  it('runs as a user that cannot change the code (K1)', () => {
    expect(argumentsOf('USER', last)).toEqual(['node']);
    expect(argumentsOf('COPY', last).filter((copied) => /--ch(own|mod)/.test(copied))).toEqual([]);
    expect(argumentsOf('RUN', last)).toEqual(['install -d -o node -g node -m 700 /data']);
  });

  it('downloads only packages of the lock file, and runs none of their scripts (K3)', () => {
    const install = /^npm ci (--omit=dev )?--ignore-scripts --no-audit --no-fund$/;
    const runs = argumentsOf('RUN').filter((run) => /\b(npm|npx|curl|wget|git|apt-get)\b/.test(run));

    expect(runs.filter((run) => install.test(run))).toHaveLength(2);
    expect(runs.filter((run) => !install.test(run))).toEqual(['npm run build']);
    expect(argumentsOf('ADD')).toEqual([]);
  });

  it('is built from one base image, by a tag with a version (K3)', () => {
    const bases = argumentsOf('FROM').map((from) => from.split(' ')[0]);

    expect([...new Set(bases)]).toEqual(['node:24-slim']);
  });

  it('starts the service as `npm start` does', () => {
    const [command = ''] = argumentsOf('CMD', last);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

    expect(JSON.parse(command).join(' ')).toBe(scripts.start);
  });
});

describe('package-lock.json', () => {
  it('has a digest for each package and downloads packages only from a registry (K3)', () => {
    const { '': ours, ...theirs } = packages as Record<string, { integrity?: string; resolved?: string }>;
    const unchecked = Object.entries(theirs).filter(
      ([, { integrity, resolved = '' }]) =>
        !integrity?.startsWith('sha512-') || !/^(https:\/\/[^/]+\/.+\/-\/[^/]+\.tgz)?$/.test(resolved),
    );

    expect(ours).toBeDefined();
    expect(Object.keys(theirs).length).toBeGreaterThan(500);
    expect(unchecked.map(([name]) => name)).toEqual([]);
  });
});
