import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, stringify } from 'yaml';
import { CHART, helm, one, template, templated } from '../support/kubernetes-objects.js';

const folder = mkdtempSync(join(tmpdir(), 'sealpush-helm-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
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
    for (const wrong of [
      { replica: 2 },
      { replicas: 0 },
      { settings: { DISABLE_SIGNUPS: true } }, // not a string: a ConfigMap would be refused
      { settings: { 'public-url': 'https://push.example.org' } },
      { secretSettings: ['DATABASE_URL'] },
      { persistence: { enabled: 'no' } },
    ]) {
      expect([wrong, valid(wrong)]).toEqual([wrong, false]);
    }
  });

  if (helm) {
    it.each([
      ['replicas: 2', /several replicas cannot share SQLite/],
      ['persistence: { enabled: false }', /has no DATABASE_URL: the database would be lost/],
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
