import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FOLDER = '.github/workflows';
const names = readdirSync(FOLDER);
const workflows = Object.fromEntries(
  names.map((name) => [name, parse(readFileSync(join(FOLDER, name), 'utf8'))]),
);
const jobs = Object.entries<any>(workflows).flatMap(([name, workflow]) =>
  Object.entries<any>(workflow.jobs as object).map(([job, content]) => ({
    name: `${name}: ${job}`,
    ...content,
  })),
);
const steps = jobs.flatMap(({ steps = [] }): any[] => steps);
const release = workflows['release.yml'];
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('The workflows', () => {
  it.each(names)('%s names each action by a commit and its version (K3)', (name) => {
    const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n');
    const uses = lines.filter((line) => /\buses:/.test(line) && !line.includes('uses: ./'));

    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('use the same commit of an action everywhere', () => {
    const uses = new Set(steps.flatMap(({ uses }) => (uses ? [uses as string] : [])));

    expect(new Set([...uses].map((each) => each.split('@')[0])).size).toBe(uses.size);
  });

  it('have no permissions but those that a job declares, and a time limit', () => {
    for (const workflow of Object.values(workflows)) {
      expect(workflow.permissions).toEqual({});
      expect(workflow.concurrency.group).toBeDefined();
    }
    for (const job of jobs) {
      expect([job.name, typeof job.permissions]).toEqual([job.name, 'object']);
      if (!job.uses) expect([job.name, job['timeout-minutes'] <= 60]).toEqual([job.name, true]);
    }
    const writing = jobs.filter(({ permissions }) => Object.values(permissions as object).includes('write'));
    expect(writing.map(({ name, permissions }) => [name, permissions])).toEqual([
      [
        'release.yml: image',
        { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
      ],
      ['release.yml: release', { contents: 'write' }],
    ]);
  });

  it('run only scripts of package.json and .ci', () => {
    const commands = steps.flatMap(({ run = '' }) => (run as string).split(/\n|&&/));
    const ran = commands.flatMap((command) => /\bnpm run (?:--silent )?([\w:]+)/.exec(command)?.[1] ?? []);
    const files = commands.flatMap((command) => /\.ci\/([\w-]+)/.exec(command)?.[1] ?? []);

    expect(ran.length).toBeGreaterThan(4);
    expect(ran.filter((name) => !(name in scripts))).toEqual([]);
    expect(files.filter((name) => !readdirSync('.ci').includes(name))).toEqual([]);
  });

  it('put nothing that others choose into a shell, and keep no credentials of a checkout', () => {
    expect(steps.filter(({ run = '' }) => (run as string).includes('${{'))).toEqual([]);
    for (const { uses = '', with: options } of steps) {
      if (uses.startsWith('actions/checkout@')) expect(options['persist-credentials']).toBe(false);
    }
  });
});

describe('A release', () => {
  const stepOf = (action: string) =>
    release.jobs.image.steps.find(({ uses = '' }) => uses.startsWith(`${action}@`)).with;

  it('starts with a tag of a version, and waits for all checks', () => {
    expect(release.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
    expect(release.jobs.image.needs).toEqual(['versions', 'check', 'components', 'executables']);
    expect(release.jobs.components.permissions).toEqual({ contents: 'read' });
    expect(release.jobs.release.needs).toContain('image');
    expect(release.concurrency['cancel-in-progress']).toBe(false);
  });

  it('pushes an image for two platforms, with its provenance, as 3, 3.0, 3.0.0 and latest', () => {
    expect(stepOf('docker/build-push-action')).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      provenance: 'mode=max',
    });
    expect(stepOf('docker/metadata-action').flavor).toBe('latest=true');
    expect(stepOf('docker/metadata-action').tags.trim().split('\n')).toEqual([
      'type=semver,pattern={{version}}',
      'type=semver,pattern={{major}}.{{minor}}',
      'type=semver,pattern={{major}}',
    ]);
  });

  it('makes an executable of the command on each platform, without credentials', () => {
    const { strategy, permissions, steps: own } = release.jobs.executables;

    expect(strategy.matrix.runner).toEqual(['ubuntu-24.04', 'ubuntu-24.04-arm']);
    expect(permissions).toEqual({ contents: 'read' });
    expect(own.map(({ run }: { run?: string }) => run)).toContain('npm run build:executable');
    expect(release.jobs.image.steps.at(-1).with['subject-path']).toBe(
      'packages/client/dist/sealpush-linux-*',
    );
  });

  it('publishes the notes and the list of components that earlier jobs have made', () => {
    const uploaded = steps
      .filter(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))
      .flatMap(({ with: { path } }) => (path as string).trim().split('\n'));
    const command = release.jobs.release.steps.at(-1).run;

    expect(uploaded.filter((path) => !command.includes(path))).toEqual([]);
    expect(scripts.sbom).toContain('--output-file sealpush.cdx.json');
  });
});
