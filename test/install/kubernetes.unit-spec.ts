import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { allSettings } from '../../src/platform/settings/settings-classes.js';
import { blocksOf } from '../support/documents.js';
import {
  CHART,
  comparable,
  helm,
  kubectl,
  kustomized,
  one,
  templated,
} from '../support/kubernetes-objects.js';

const ON_MYSQL = ['-f', `${CHART}/values-mysql.yaml`];
const PAGE = 'docs/install/kubernetes.md';
const SECRETS: Record<string, string> = {
  DATABASE_URL: 'mysql://sealpush:secret@mysql:3306/sealpush',
  MASTER_KEYS: Buffer.alloc(32, 7).toString('base64'),
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
};

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
  ...(kubectl ? (['sqlite', 'mysql'] as const) : []).map(
    (name) => [`the kustomization ${name}`, () => kustomized(name)] as [string, () => any[]],
  ),
  ...(helm ? [[], ON_MYSQL] : []).map(
    (options) =>
      [`the chart with ${options[1] ?? 'its defaults'}`, () => templated(options)] as [string, () => any[]],
  ),
];

if (VARIANTS.length > 0) {
  describe.each(VARIANTS)('%s', (_name, render) => {
    const objects = render();
    const { template: pod, ...deployment } = one(objects, 'Deployment').spec;
    const [container] = pod.spec.containers;

    it('starts the service with settings that it accepts', () => {
      const environment = environmentOf(objects);
      const known = new Set([...allSettings()].flatMap(([name]) => [name, `${name}_FILE`]));
      for (const [name, path] of Object.entries(environment)) {
        expect([...known]).toContain(name);
        if (!name.endsWith('_FILE')) continue;
        const key = name.replace(/_FILE$/, '');
        expect(path).toBe(`/run/secrets/sealpush/${key}`);
        environment[name] = join(folder, key);
        writeFileSync(environment[name], `${SECRETS[key]}\n`);
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
      expect(volumes.secrets.secret).toEqual({ secretName: 'sealpush', defaultMode: 0o440 });
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
          kubectl ?? '',
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
  ])('The chart renders the same as the kustomization %s', (name, options) => {
    expect(comparable(templated(options))).toEqual(comparable(kustomized(name)));
  });
}

describe(PAGE, () => {
  it('creates the secrets that the pods read', () => {
    const keys = blocksOf(PAGE, 'sh')
      .filter((block) => block.includes('create secret generic sealpush'))
      .map((block) => [...block.matchAll(/--from-file=(\w+)/g)].map(([, key]) => key));

    expect(keys).toEqual([
      ['MASTER_KEYS'],
      ['DATABASE_URL', 'MASTER_KEYS', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ]);
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
