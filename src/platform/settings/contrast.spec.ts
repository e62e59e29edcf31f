import { readFileSync } from 'node:fs';
import { lowContrasts, nearestReadable } from './contrast.js';
import type { Palette } from './palettes.js';
import { DARK, LIGHT } from './palettes.js';

const WHITE: Palette = { mode: 'light', page: '#fff', card: '#fff', badge: '#fff', buttonText: '#fff' };
const BLACK: Palette = { mode: 'dark', page: '#000', card: '#000', badge: '#000', buttonText: '#000' };

describe('The contrast of a colour', () => {
  // the greys on both sides of the limits of WCAG 2.2, which its "Understanding" documents name
  it.each([
    ['#000000', []],
    ['#767676', []],
    ['#777777', ['links on the page (4.47:1 instead of 4.5:1)']],
    ['#949494', ['links on the page (3.03:1 instead of 4.5:1)']],
    ['#959595', ['links on the page (2.99:1 instead of 4.5:1)', 'focus rings (2.99:1 instead of 3:1)']],
    ['#ff0000', ['links on the page (3.99:1 instead of 4.5:1)']],
    ['#0000ff', []],
    ['#ffffff', ['links on the page (1.00:1 instead of 4.5:1)', 'focus rings (1.00:1 instead of 3:1)']],
  ])('of %s on white misses %j', (color, missing) => {
    const others = /on cards|badges|buttons/;
    expect(lowContrasts(color, WHITE).filter((text) => !others.test(text))).toEqual(missing);
    expect(lowContrasts(color, WHITE).filter((text) => others.test(text))).toHaveLength(missing.length && 3);
  });

  it('is that of the pages for the colours that the pages have', () => {
    expect(lowContrasts('#0f766e', LIGHT)).toEqual([]);
    expect(lowContrasts('#2dd4bf', DARK)).toEqual([]);
    expect(lowContrasts('#5eead4', DARK)).toEqual([]);
  });
});

describe('The nearest readable colour', () => {
  it.each([
    '#ffcc00',
    '#ff0000',
    '#00ff7f',
    '#c0ffee',
    '#ffffff',
    '#808080',
    '#000000',
    '#123456',
    '#e6007e',
  ])('to %s is readable, light and dark', (color) => {
    for (const palette of [LIGHT, DARK, WHITE, BLACK])
      expect(lowContrasts(nearestReadable(color, palette), palette)).toEqual([]);
  });

  it('is the colour itself if that is readable, and otherwise the one just beyond the limit', () => {
    expect(nearestReadable('#123456', LIGHT)).toBe('#123456');
    expect(nearestReadable('#ffffff', WHITE)).toBe('#757575');
  });
});

describe('The palettes', () => {
  it('are the colours of sealpush.css', () => {
    const css = readFileSync('src/web/assets/sealpush.css', 'utf8');
    const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');

    for (const [part, { page, card, badge, buttonText }] of [
      [light, LIGHT],
      [dark, DARK],
    ] as const) {
      expect(part).toContain(`--page: ${page};`);
      expect(part).toContain(`--surface: ${card};`);
      expect(part).toContain(`--good-surface: ${badge};`);
      expect(part).toContain(`--pico-primary-inverse: ${buttonText};`);
    }
  });
});
