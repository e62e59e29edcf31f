import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

describe('docs/capacity.md', () => {
  it('has the tables that `npm run bench:capacity` writes from bench/results-capacity.json', () => {
    const written = execFileSync(process.execPath, ['bench/capacity.mjs', '--print'], { encoding: 'utf8' });

    expect(readFileSync('docs/capacity.md', 'utf8')).toBe(written);
  });

  it('shows the three points at which the model was checked', () => {
    const document = readFileSync('docs/capacity.md', 'utf8');
    const [, points = ''] = /<!-- table: checks -->([^]*?)<!-- end of table -->/.exec(document) ?? [];

    expect(points.match(/\| (pass|FAIL) +\|$/gm)).toHaveLength(3);
  });
});
