import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../support/find-program.js';
import { makeFolder } from '../support/folder.js';

const FOLDER = 'deploy/prometheus';
const promtool = findProgram('promtool', 'the rules and the dashboard of deploy/prometheus are valid');

const dashboard = JSON.parse(readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8')) as {
  panels: {
    id: number;
    title: string;
    gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
    targets: { expr: string }[];
  }[];
};
const expressions = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')),
);

(promtool === undefined ? describe.skip : describe)('deploy/prometheus', () => {
  const check = (...args: string[]) => promisify(execFile)(promtool ?? '', args);

  it('has rules and an example configuration that Prometheus accepts', async () => {
    await check('check', 'rules', join(FOLDER, 'alerts.yml'));
    await check('check', 'config', join(FOLDER, 'scrape.yml'));
  });

  it('has rules that raise an alert when they should, and none for an instance that works', async () => {
    await check('test', 'rules', join(FOLDER, 'alerts.test.yml'));
  });

  it('has a test of each alert', () => {
    const [rules, tests] = ['alerts.yml', 'alerts.test.yml'].map((name) =>
      readFileSync(join(FOLDER, name), 'utf8'),
    );
    const alerts = [...(rules ?? '').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

    expect(alerts.length).toBeGreaterThan(10);
    expect(alerts.filter((name) => !tests?.includes(`alertname="${name}"`))).toEqual([]);
  });

  it('has a dashboard whose expressions are all valid', async () => {
    const rules = expressions.map((expr, i) => ({ record: `panel:${i}`, expr }));
    const folder = await makeFolder();
    const file = folder.file(JSON.stringify({ groups: [{ name: 'dashboard', rules }] })); // JSON is YAML
    await check('check', 'rules', file);
    await folder.destroy();

    expect(expressions.length).toBeGreaterThan(20);
  });
});

describe('The dashboard', () => {
  it('has panels that do not overlap', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );

    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});
