import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FENCED = /^ *```.*?^ *```$/gms;
const INLINE_CODE = /`[^`\n]*`/g;
const LINK = /\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?\)/g;
/** A message, which begins with a capital letter and has at least three words. */
const MESSAGE = /`([A-Z][a-z]*(?: [^`\n]*){2,})`/g;
/** What stands for a value in it. */
const VALUE = /…|\bpush ID\b|\b(?:ID|NAME|EMAIL|N)\b|\b\d+\.\d+\.\d+\b/;
const documents = globSync(['*.md', '{docs,deploy,examples,bench}/**/*.md']);

describe('The documents', () => {
  it('link only to files and headings that exist', () => {
    const links = documents.flatMap((from) => linksOf(from).map((to) => ({ from, ...to })));
    const broken = links.filter(
      ({ path, heading }) => !existsSync(path) || (heading && !headingsOf(path).includes(heading)),
    );

    expect(links.length).toBeGreaterThan(200);
    expect(broken).toEqual([]);
  });

  it('quote only messages that the source has', () => {
    const sources = globSync('src/**/*.{ts,tsx}', { exclude: ['**/*spec.ts'] }).map((path) =>
      readFileSync(path, 'utf8'),
    );
    const source = sources.join('\n').replace(/['`]\s*\+\s*['`]/g, '');
    const quoted = documents
      .filter((path) => /^docs\/(operating|install)\/|single-sign-on/.test(path))
      .flatMap((path) => messagesOf(path).map((message) => ({ path, message })));
    const unknown = quoted.filter(({ message }) =>
      message.split(VALUE).some((part) => !source.includes(part.trim())),
    );

    expect(quoted.length).toBeGreaterThan(15);
    expect(unknown).toEqual([]);
  });

  it('about operating are all listed in its first page', () => {
    const pages = documents.filter((path) => dirname(path) === 'docs/operating');
    const listed = new Set(linksOf('docs/operating/README.md').map(({ path }) => path));

    expect(pages.filter((path) => !path.endsWith('/README.md') && !listed.has(path))).toEqual([]);
  });
});

function messagesOf(path: string): string[] {
  const prose = readFileSync(path, 'utf8').replace(FENCED, '');
  return [...prose.matchAll(MESSAGE)].map(([, message = '']) => message);
}

function linksOf(from: string): { path: string; heading: string | undefined }[] {
  const prose = readFileSync(from, 'utf8').replace(FENCED, '').replace(INLINE_CODE, '');
  return [...prose.matchAll(LINK)].map(([, path, heading]) => ({
    path: path ? join(dirname(from), path) : from,
    heading,
  }));
}

/** As GitHub names the anchors of headings. */
function headingsOf(path: string): string[] {
  const headings = readFileSync(path, 'utf8')
    .replace(FENCED, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
