import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folder.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { growthOfTime, LINEAR } from '../../../test/support/growth-of-time.js';
import { logo } from './logo.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('A logo', () => {
  const folder = forAllTests(makeFolder);

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\uFEFF<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "a" "b">\n<!-- b -->\n<svg\n viewBox="0 0 1 1"/>',
  ])('may be the SVG %j', (content) => {
    expect(logo(folder.file(content))).toEqual({ extension: 'svg', content: Buffer.from(content) });
  });

  it('may be a PNG of at most 100 kB', () => {
    const largest = Buffer.concat([PNG], 100_000);
    expect(logo(folder.file(largest))).toEqual({ extension: 'png', content: largest });
    expect(() => logo(folder.file(Buffer.concat([PNG], 100_001)))).toThrow(
      'must be a file of at most 100 kB',
    );
  });

  it.each(['', '<html><svg/></html>', '<svgx/>', 'GIF89a', '<!-- <svg> -->', PNG.subarray(0, 7)])(
    'cannot be %j',
    (content) => {
      expect(() => logo(folder.file(content))).toThrow('must be the path of an SVG or PNG');
    },
  );

  it('cannot be 12,000 comments, which are read in time linear in their count', async () => {
    const comments = (count: number) => folder.file(`${'<!-- -->'.repeat(count)}x`);
    const read = (path: string) => {
      expect(() => logo(path)).toThrow('must be the path of an SVG or PNG');
    };

    expect(await growthOfTime(12_000, comments, read)).toBeLessThan(LINEAR);
  });

  it('must be readable', () => {
    expect(() => logo(join(folder.path, 'nothing'))).toThrow(
      `its file ${join(folder.path, 'nothing')} cannot be read (ENOENT)`,
    );
    expect(() => logo(folder.path)).toThrow(`its file ${folder.path} cannot be read (EISDIR)`);
  });
});
