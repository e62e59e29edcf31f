import { readFileSync } from 'node:fs';

/** The fenced code blocks of a document in one language, under one heading or anywhere. */
export function blocksOf(path: string, language: string, heading?: string): string[] {
  const text = readFileSync(path, 'utf8');
  const part = heading === undefined ? text : partOf(text, heading);
  if (part === undefined) throw new Error(`${path} has no heading ${heading}`);
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...part.matchAll(fence)].map(([, block = '']) => block);
}

function partOf(text: string, heading: string): string | undefined {
  return text.split(new RegExp(`^##? ${heading}$`, 'm'))[1]?.split('\n## ')[0];
}

/** The one block that begins with `start`; fails unless there is exactly one. */
export function blockOf(path: string, language: string, heading: string, start: string): string {
  const found = blocksOf(path, language, heading).filter((block) => block.startsWith(start));
  if (found.length !== 1) throw new Error(`${path}, ${heading}: ${found.length} blocks start with ${start}`);
  return found[0] ?? '';
}
