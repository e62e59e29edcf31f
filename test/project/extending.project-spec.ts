import { readFileSync } from 'node:fs';

/** Classes and decorators that the page names and other packages export. */
const OF_OTHERS = ['Body', 'OnEvent', 'Query', 'TypeOrmModule', 'UsePipes'];

describe('docs/extending.md', () => {
  it('names no class to modules that the package does not export', () => {
    const [forModules = ''] = readFileSync('docs/extending.md', 'utf8').split('\n# Changing the service');
    const spans = forModules.replace(/```[^]*?```/g, '').match(/`[^`]+`/g) ?? [];
    const named = spans.flatMap((span) => /^`@?([A-Z]\w*[a-z])(?![\w-])/.exec(span)?.[1] ?? []);
    const exported = [...readFileSync('src/public-api.ts', 'utf8').matchAll(/^export .*\{ (.+) \}/gm)];
    const names = new Set([...OF_OTHERS, ...exported.flatMap(([, list = '']) => list.split(', '))]);

    expect(named).toContain('DeliveryRecorder');
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });
});
