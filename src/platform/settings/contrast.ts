import { readability, TinyColor } from '@ctrl/tinycolor';
import { color } from './parsers.js';
import type { Palette } from './palettes.js';
import type { Parser } from './setting.js';
import { shown } from './setting.js';

/** The contrasts that WCAG 2.2 requires at level AA: 1.4.3 for text, 1.4.11 for what shows the focus. */
const TEXT = 4.5;
const FOCUS = 3;

/** Steps of half a percent, so that the nearest lightness is near. */
const LIGHTNESSES = Array.from({ length: 201 }, (_, i) => i / 200);

/** A colour that can be read on the pages. */
export function readableColor(palette: Palette): Parser {
  return shown((text) => {
    const value = color(text) as string;
    const missing = lowContrasts(value, palette);
    if (missing.length === 0) return value;
    throw new Error(
      `has too little contrast in ${palette.mode} mode for ${missing.join(', ')}; ` +
        `the nearest lightness that suffices is that of ${nearestReadable(value, palette)}`,
    );
  });
}

/** The uses of a colour whose contrast is too low, as in `links on the page (2.1:1 instead of 4.5:1)`. */
export function lowContrasts(color: string, palette: Palette): string[] {
  return usesIn(palette)
    .map(([use, other, needed]) => ({ use, needed, contrast: readability(color, other) }))
    .filter(({ contrast, needed }) => contrast < needed)
    .map(({ use, contrast, needed }) => `${use} (${roundedDown(contrast)}:1 instead of ${needed}:1)`);
}

/** The colour of the same hue and saturation whose contrasts suffice, with the lightness nearest to that of `color`. */
export function nearestReadable(color: string, palette: Palette): string {
  const hsl = new TinyColor(color).toHsl();
  const candidates = LIGHTNESSES.toSorted((a, b) => Math.abs(a - hsl.l) - Math.abs(b - hsl.l));
  return [color, ...candidates.map((l) => new TinyColor({ ...hsl, l }).toHexString())].find(
    (candidate) => lowContrasts(candidate, palette).length === 0,
  ) as string; // black is readable on all light colours, and white on all dark ones
}

function usesIn({ page, card, badge, buttonText }: Palette): [use: string, other: string, needed: number][] {
  return [
    ['links on the page', page, TEXT],
    ['links on cards', card, TEXT],
    ['badges', badge, TEXT],
    ['text on buttons', buttonText, TEXT],
    ['focus rings', page, FOCUS],
  ];
}

/** Rounds down: rounded up, 4.499 would look like 4.5. */
function roundedDown(contrast: number): string {
  return (Math.floor(contrast * 100) / 100).toFixed(2);
}
