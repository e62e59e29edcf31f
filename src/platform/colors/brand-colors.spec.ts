import { readFileSync } from 'node:fs';
import { readability } from '@ctrl/tinycolor';
import { brandColors } from './brand-colors.js';
import { DARK, LIGHT } from './palettes.js';

const COLORS = [
  '#ffcc00',
  '#ff0000',
  '#00ff7f',
  '#c0ffee',
  '#ffffff',
  '#808080',
  '#757575',
  '#000000',
  '#123456',
  '#e6007e',
  '#2dd4bf',
];

describe('The colours of a brand', () => {
  it.each(COLORS)('made from %s can be read, light and dark (WCAG 2.2, 1.4.3 and 1.4.11)', (color) => {
    for (const palette of [LIGHT, DARK]) {
      const { action, actionHover, onAction, actionText } = brandColors(color, palette);

      expect(readability(action, onAction)).toBeGreaterThanOrEqual(4.5);
      expect(readability(actionHover, onAction)).toBeGreaterThanOrEqual(4.5);
      expect(readability(action, palette.surface)).toBeGreaterThanOrEqual(3);
      for (const behind of [palette.page, palette.surface, palette.sunken])
        expect(readability(actionText, behind)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('are the colour itself where that can be read', () => {
    expect(brandColors('#123456', LIGHT)).toMatchObject({
      action: '#123456',
      onAction: '#fff',
      actionText: '#123456',
    });
    expect(brandColors('#2dd4bf', DARK)).toMatchObject({
      action: '#2dd4bf',
      onAction: LIGHT.ink,
      actionText: '#2dd4bf',
    });
  });

  it('differ between fill and text in the dark, where a light button glares', () => {
    const { action, actionText } = brandColors(DARK.action, DARK);

    expect(action).toBe(DARK.action);
    expect(readability(actionText, DARK.surface)).toBeGreaterThan(readability(action, DARK.surface));
  });
});

describe('The palettes', () => {
  it('are the colours of sealpush.css', () => {
    const css = readFileSync('src/web/assets/sealpush.css', 'utf8');
    const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');

    for (const [part, palette] of [
      [light, LIGHT],
      [dark, DARK],
    ] as const)
      for (const [name, color] of Object.entries(palette)) expect(part).toContain(`--${name}: ${color};`);
  });
});
