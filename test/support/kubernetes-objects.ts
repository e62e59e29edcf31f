import { execFileSync, spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { findProgram } from './find-program.js';

export const CHART = 'deploy/helm/sealpush';

export const kubectl = findProgram('kubectl', 'the kustomizations in deploy/kubernetes are valid');
export const helm = findProgram('helm', 'the chart in deploy/helm renders', [
  process.env.SEALPUSH_HELM_ROOT ?? '/var/lib/sealpush-helm',
]);

/** Kubernetes reads YAML 1.1, in which 0440 is octal. */
const objectsIn = (text: string): any[] =>
  parseAllDocuments(text, { version: '1.1' })
    .map((document) => (document as { toJS(): any }).toJS())
    .filter(Boolean);

/** The objects of a folder in deploy/kubernetes. */
export const kustomized = (name: string) =>
  objectsIn(
    execFileSync(kubectl ?? '', ['kustomize', `deploy/kubernetes/${name}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );

export const template = (options: string[]) =>
  spawnSync(helm ?? '', ['template', 'sealpush', CHART, ...options], { encoding: 'utf8' });

/** The objects of the chart. */
export const templated = (options: string[]) => objectsIn(template(options).stdout);

/** The only object of a kind. */
export const one = (objects: any[], kind: string) => {
  const found = objects.filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
};

/** What both ways must agree on: not the labels, tags and names that each adds in its own manner. */
export function comparable(objects: any[]) {
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
    for (const container of spec?.template?.spec.containers ?? []) {
      delete container.imagePullPolicy;
      container.env.sort((a: any, b: any) => a.name.localeCompare(b.name));
    }
  }
  return all.sort((a: any, b: any) => a.kind.localeCompare(b.kind));
}
