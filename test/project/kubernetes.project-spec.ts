import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { allSettings } from '../../src/platform/settings/settings-classes.js';
import { blocksOf } from '../support/documents.js';
import { findProgram } from '../support/find-program.js';

const CHART = 'deploy/helm/sealpush';

const kubectl = findProgram('kubectl', 'the kustomizations in deploy/kubernetes are valid');
const helm = findProgram('helm', 'the chart in deploy/helm renders', [
  process.env.SEALPUSH_HELM_ROOT ?? '/var/lib/sealpush-helm',
]);

/** Kubernetes reads YAML 1.1, in which 0440 is octal. */
const objectsIn = (text: string): any[] =>
  parseAllDocuments(text, { version: '1.1' })
    .map((document) => (document as { toJS(): any }).toJS())
    .filter(Boolean);

/** The objects of a folder in deploy/kubernetes. */
const kustomized = (name: string) =>
  objectsIn(
    execFileSync(kubectl ?? '', ['kustomize', `deploy/kubernetes/${name}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );

const template = (options: string[]) =>
  spawnSync(helm ?? '', ['template', 'sealpush', CHART, ...options], { encoding: 'utf8' });

/** The objects of the chart. */
const templated = (options: string[]) => objectsIn(template(options).stdout);

/** The only object of a kind. */
const one = (objects: any[], kind: string) => {
  const found = objects.filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
};

/** What both ways must agree on: not the labels, tags and names that each adds in its own manner. */
function comparable(objects: any[]) {
  const text = JSON.stringify(objects)
    .replace(/"sealpush-[a-z0-9]{10}"/g, '"sealpush"')
    .replaceAll(/"image":"sealpush:[^"]+"/g, '"image":"sealpush"')
    .replaceAll('"app.kubernetes.io/instance":"sealpush",', '')
    .replaceAll(',"app.kubernetes.io/instance":"sealpush"', '');
  const all = JSON.parse(text);
  for (const { metadata, spec } of all) {
    delete metadata.labels;
    delete metadata.annotations;
    delete spec?.template?.metadata.annotations;
    spec?.template?.spec.volumes.sort((a: any, b: any) => a.name.localeCompare(b.name));
    for (const container of spec?.template?.spec.containers ?? []) {
      delete container.imagePullPolicy;
      container.env.sort((a: any, b: any) => a.name.localeCompare(b.name));
    }
  }
  return all.sort((a: any, b: any) => a.kind.localeCompare(b.kind));
}

const ON_MYSQL = ['-f', `${CHART}/values-mysql.yaml`];
const ON_POSTGRES = ['-f', `${CHART}/values-postgres.yaml`];
const POSTGRES = 'deploy/kubernetes/postgres';
const PAGE = 'docs/install/kubernetes.md';
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'mysql://sealpush:secret@mysql:3306/sealpush',
  MASTER_KEYS: Buffer.alloc(32, 7).toString('base64'),
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
};

const database = parse(readFileSync(`${POSTGRES}/database.yaml`, 'utf8'));
/** Where the pods on the database of CloudNativePG have their secrets from. */
const SOURCES = [
  { secret: { name: 'sealpush' } },
  { secret: { name: 'sealpush-database-app', items: [{ key: 'uri', path: 'DATABASE_URL' }] } },
];

const folder = mkdtempSync(join(tmpdir(), 'sealpush-kubernetes-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The environment of the service's container, as the pod gets it. */
function environmentOf(objects: any[]): Record<string, string> {
  const [container] = one(objects, 'Deployment').spec.template.spec.containers;
  const { metadata, data } = one(objects, 'ConfigMap');
  expect(container.envFrom).toEqual([{ configMapRef: { name: metadata.name } }]);
  return {
    ...data,
    ...Object.fromEntries(container.env.map((variable: any) => [variable.name, variable.value])),
  };
}

const VARIANTS: [name: string, render: () => any[]][] = [
  ...(kubectl ? (['sqlite', 'mysql', 'postgres'] as const) : []).map(
    (name) => [`the kustomization ${name}`, () => kustomized(name)] as [string, () => any[]],
  ),
  ...(helm ? [[], ON_MYSQL, ON_POSTGRES] : []).map(
    (options) =>
      [`the chart with ${options[1] ?? 'its defaults'}`, () => templated(options)] as [string, () => any[]],
  ),
];

if (VARIANTS.length > 0) {
  describe.each(VARIANTS)('%s', (name, render) => {
    const objects = render();
    const { template: pod, ...deployment } = one(objects, 'Deployment').spec;
    const [container] = pod.spec.containers;

    it('starts the service with settings that it accepts', () => {
      const environment = environmentOf(objects);
      const known = [...allSettings().keys()].flatMap((setting) => [setting, `${setting}_FILE`]);
      for (const [variable, path] of Object.entries(environment)) {
        expect(known).toContain(variable);
        if (!variable.endsWith('_FILE')) continue;
        const key = variable.replace(/_FILE$/, '');
        expect(path).toBe(`/run/secrets/sealpush/${key}`);
        environment[variable] = join(folder, key);
        writeFileSync(environment[variable], `${SECRETS[key]}\n`);
      }

      expect(readSettings(environment).MASTER_KEYS).toHaveLength(1);
      expect(environment).not.toHaveProperty('MASTER_KEYS');
    });

    it('runs it as the user of the image, without privileges, and with a read-only root (K1, K2)', () => {
      expect(pod.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      });
      expect(container).not.toHaveProperty('command'); // that of the image
    });

    it('mounts the volume of the image, and secrets that only the service may read', () => {
      const volumes = Object.fromEntries(pod.spec.volumes.map((volume: any) => [volume.name, volume]));

      expect(container.volumeMounts).toEqual([
        { name: 'data', mountPath: '/data' },
        { name: 'secrets', mountPath: '/run/secrets/sealpush', readOnly: true },
      ]);
      expect(readFileSync('Dockerfile', 'utf8')).toContain('\nVOLUME /data\n');
      expect(volumes.secrets).toEqual(
        name.includes('postgres')
          ? { name: 'secrets', projected: { sources: SOURCES, defaultMode: 0o440 } }
          : { name: 'secrets', secret: { secretName: 'sealpush', defaultMode: 0o440 } },
      );
      expect(pod.spec.securityContext.fsGroup).toBe(1000);
    });

    it('sends requests to the port of the image while the service is ready', () => {
      const port = one(objects, 'Service').spec.ports[0];

      expect(container.ports).toEqual([{ name: port.targetPort, containerPort: 5100 }]);
      expect(readFileSync('Dockerfile', 'utf8')).toContain('\nEXPOSE 5100\n');
      expect(container.livenessProbe.httpGet).toEqual({ path: '/up', port: port.targetPort });
      expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: port.targetPort });
      expect(one(objects, 'NetworkPolicy').spec.ingress).toEqual([{ ports: [{ port: port.targetPort }] }]);
    });

    it('selects its own pods everywhere', () => {
      const selectors = [
        deployment.selector.matchLabels,
        one(objects, 'Service').spec.selector,
        one(objects, 'NetworkPolicy').spec.podSelector.matchLabels,
        ...objects
          .filter(({ kind }) => kind === 'PodDisruptionBudget')
          .map(({ spec }) => spec.selector.matchLabels),
        ...(pod.spec.topologySpreadConstraints ?? []).map((spread: any) => spread.labelSelector.matchLabels),
      ];

      for (const selector of selectors) expect(selector).toEqual(pod.metadata.labels);
      expect(pod.metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'sealpush' });
    });

    it('shares SQLite with no second pod, and runs several only with the data elsewhere', () => {
      const data = pod.spec.volumes.find(({ name }: any) => name === 'data');
      const environment = environmentOf(objects);

      if ('DATABASE_URL_FILE' in environment) {
        expect(data).toHaveProperty('emptyDir');
        expect(environment).toMatchObject({ FILE_STORAGE: 's3' });
        expect(deployment).toMatchObject({ replicas: 2, strategy: { type: 'RollingUpdate' } });
        expect(objects.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
      } else {
        const claim = one(objects, 'PersistentVolumeClaim');
        expect(data.persistentVolumeClaim).toEqual({ claimName: claim.metadata.name });
        expect(claim.spec.accessModes).toEqual(['ReadWriteOnce']);
        expect(deployment).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
      }
    });

    if (kubectl) {
      it('has objects with the fields and types of Kubernetes', () => {
        const file = join(folder, 'objects.yaml');
        writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'));
        // kubectl decodes all objects. Of those that it changes it prints what it has understood.
        const image = 'other';
        const { stdout, stderr } = spawnSync(
          kubectl,
          ['set', 'image', '--local', '-f', file, `sealpush=${image}`, '-o', 'json'],
          { encoding: 'utf8' },
        );
        const spec = structuredClone(one(objects, 'Deployment').spec);
        spec.template.spec.containers[0].image = image;

        expect(stderr).not.toMatch(/decode|unmarshal|unable/);
        expect(JSON.parse(stdout).spec).toEqual({
          ...spec,
          template: { ...spec.template, metadata: { creationTimestamp: null, ...spec.template.metadata } },
        });
      });
    }
  });
}

if (kubectl && helm) {
  it.each([
    ['sqlite', []],
    ['mysql', ON_MYSQL],
    ['postgres', ON_POSTGRES],
  ])('The chart renders the same as the kustomization %s', (name, options) => {
    expect(comparable(templated(options))).toEqual(comparable(kustomized(name)));
  });
}

describe('The database of CloudNativePG', () => {
  const { metadata, spec } = database;

  it('has only fields that its reference lists', () => {
    // kubectl, which checks the other objects, does not know it.
    expect(database).toEqual({
      apiVersion: 'postgresql.cnpg.io/v1',
      kind: 'Cluster',
      metadata: { name: expect.any(String) },
      spec: {
        imageName: expect.stringMatching(/^ghcr\.io\/cloudnative-pg\/postgresql:1[4-8]-/),
        instances: expect.any(Number),
        bootstrap: { initdb: { database: 'sealpush', owner: 'sealpush', encoding: 'UTF8' } },
        postgresql: { synchronous: expect.any(Object) },
        switchoverDelay: expect.any(Number),
        resources: expect.any(Object),
        storage: { size: expect.stringMatching(/^\d+Gi$/) },
      },
    });
  });

  it('has what it acknowledges on a standby, promotes no other, and can do without one', () => {
    const { synchronous } = spec.postgresql;

    expect(synchronous).toEqual({
      method: 'any',
      number: 1,
      dataDurability: 'required',
      failoverQuorum: true,
    });
    expect(spec.instances).toBe(3);
  });

  it('has the secret and the service from which the pods get their address', () => {
    const { owner, database: name } = spec.bootstrap.initdb;
    // As the operator writes it.
    const uri = `postgresql://${owner}:secret@${metadata.name}-rw.sealpush:5432/${name}`;

    expect(SOURCES[1]?.secret).toEqual({
      name: `${metadata.name}-app`,
      items: [{ key: 'uri', path: 'DATABASE_URL' }],
    });
    expect(readSettings({ DATABASE_URL: uri }).DATABASE_URL).toMatchObject({
      servers: [{ host: 'sealpush-database-rw.sealpush', port: 5432 }],
      username: 'sealpush',
      password: 'secret',
      database: 'sealpush',
    });
  });
});

describe('The chart', () => {
  const valid = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8')),
  );
  const values = (file: string) => parse(readFileSync(`${CHART}/${file}`, 'utf8'));

  it('has the version of the service', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

    expect(values('Chart.yaml')).toMatchObject({ version, appVersion: version });
  });

  it('accepts its own values, and refuses misspelt and mistyped ones', () => {
    expect(valid(values('values.yaml'))).toBe(true);
    expect(valid(values('values-mysql.yaml'))).toBe(true);
    expect(valid(values('values-postgres.yaml'))).toBe(true);
    for (const wrong of [
      { replica: 2 },
      { replicas: 0 },
      { settings: { DISABLE_SIGNUPS: true } }, // not a string: a ConfigMap would be refused
      { settings: { 'public-url': 'https://push.example.org' } },
      { secretSettings: ['DATABASE_URL'] },
      { databaseSecret: { name: 'database', key: '' } },
      { persistence: { enabled: 'no' } },
    ]) {
      expect([wrong, valid(wrong)]).toEqual([wrong, false]);
    }
  });

  if (helm) {
    it.each([
      ['replicas: 2', /several replicas cannot share SQLite/],
      ['persistence: { enabled: false }', /has no DATABASE_URL: the database would be lost/],
      ['databaseSecret: { name: database }', /has no DATABASE_URL: the database would not be used/],
    ])('refuses %s on SQLite', (text, message) => {
      const file = join(folder, 'values.yaml');
      writeFileSync(file, text);

      const { status, stderr } = template(['-f', file]);

      expect(status).toBe(1);
      expect(stderr).toMatch(message);
    });

    it('renders an ingress, the claim and the pull secrets of the operator', () => {
      const file = join(folder, 'values.yaml');
      writeFileSync(
        file,
        stringify({
          image: { repository: 'registry.example.org/sealpush', pullSecrets: ['registry'] },
          persistence: { existingClaim: 'mine' },
          ingress: { enabled: true, className: 'nginx', tlsSecret: 'push-tls', annotations: { a: '1' } },
        }),
      );
      const objects = templated(['-f', file]);
      const { spec } = one(objects, 'Deployment').spec.template;

      expect(one(objects, 'Ingress')).toMatchObject({
        metadata: { annotations: { a: '1' } },
        spec: {
          ingressClassName: 'nginx',
          rules: [{ host: 'push.example.org' }],
          tls: [{ hosts: ['push.example.org'], secretName: 'push-tls' }],
        },
      });
      expect(spec.imagePullSecrets).toEqual([{ name: 'registry' }]);
      expect(spec.containers[0].image).toMatch(/^registry\.example\.org\/sealpush:\d/);
      expect(spec.volumes[0].persistentVolumeClaim).toEqual({ claimName: 'mine' });
      expect(objects.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
    });
  }
});

describe(PAGE, () => {
  it('creates the secrets that the pods read', () => {
    const keys = blocksOf(PAGE, 'sh')
      .filter((block) => block.includes('create secret generic sealpush'))
      .map((block) => [...block.matchAll(/--from-file=(\w+)/g)].map(([, key]) => key));

    expect(keys).toEqual([
      ['MASTER_KEYS'],
      ['DATABASE_URL', 'MASTER_KEYS', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
      ['MASTER_KEYS', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ]);
  });

  it('has the database of PostgreSQL ready before the service', () => {
    const [block] = blocksOf(PAGE, 'sh', 'PostgreSQL');

    expect(block).toMatch(/ apply -f database\.yaml\n/);
    expect(block).toContain(
      ` wait --for=condition=Ready --timeout=15m clusters.postgresql.cnpg.io/${database.metadata.name}\n`,
    );
  });

  it('has a kustomization of the operator that builds on ours', () => {
    const example = blocksOf(PAGE, 'yaml')
      .map((text) => parse(text))
      .find(({ kind }) => kind === 'Kustomization');

    expect(example).toMatchObject({
      images: [{ name: 'sealpush' }],
      configMapGenerator: [{ behavior: 'merge' }],
    });
  });
});
