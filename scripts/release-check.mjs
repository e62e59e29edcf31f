// Compares the version in package.json with every other place that states it, and with a tag if there is one:
// npm run release:check -- v3.0.0
import { existsSync, globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { newestRelease, sectionsOf } from './changelog.mjs';

const [tag] = process.argv.slice(2);
const read = (path) => readFileSync(path, 'utf8');
const readJson = (path) => JSON.parse(read(path));

const { version } = readJson('package.json');
const lock = readJson('package-lock.json');
const changelog = read('CHANGELOG.md');
const release = newestRelease(changelog);
const [, label] = /org\.opencontainers\.image\.version="([^"]*)"/.exec(read('Dockerfile')) ?? [];

const stated = [
  ['package-lock.json, version', lock.version],
  ['package-lock.json, packages', lock.packages[''].version],
  ['CHANGELOG.md, newest release', release?.version],
  ['openapi.json, info.version', readJson('openapi.json').info.version],
  ['Dockerfile, label org.opencontainers.image.version', label],
  ...(existsSync('deploy/helm') ? globSync('deploy/helm/**/Chart.yaml') : []).map((path) => [
    `${path}, appVersion`,
    parse(read(path)).appVersion,
  ]),
  ...(tag === undefined ? [] : [['tag', tag.replace(/^v/, '')]]),
];

const mismatches = stated
  .filter(([, found]) => found !== version)
  .map(([where, found]) => `${where}: ${found ?? 'none'} instead of ${version}`);
if (!/^\d+\.\d+\.\d+$/.test(version)) mismatches.push(`package.json: ${version} is not like 3.0.0`);
if (tag !== undefined && !tag.startsWith('v')) mismatches.push(`tag: ${tag} does not start with v`);
if (release && release.date === undefined) {
  mismatches.push(`CHANGELOG.md: the heading of ${release.version} has no date`);
}
if (
  tag !== undefined &&
  sectionsOf(changelog).some((section) => section.version === 'Unreleased' && section.text)
) {
  mismatches.push('CHANGELOG.md: has changes under Unreleased');
}

for (const mismatch of mismatches) console.error(`release:check: ${mismatch}`);
if (mismatches.length === 0) console.log(`release:check: ${version} everywhere`);
process.exitCode = mismatches.length === 0 ? 0 : 1;
