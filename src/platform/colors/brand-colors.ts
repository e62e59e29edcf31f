import { readability, TinyColor } from '@ctrl/tinycolor';
import type { Palette } from './palettes.js';
import { LIGHT } from './palettes.js';

/** The contrasts that WCAG 2.2 requires at level AA: 1.4.3 for text, 1.4.11 for what shows a control or the focus. */
const TEXT = 4.5;
const CONTROL = 3;

const WHITE = '#fff';

/** Steps of half a percent, so that the nearest lightness is near. */
const LIGHTNESSES = Array.from({ length: 201 }, (_, i) => i / 200);

const HOVER_PERCENT = 6;

/** What a brand's colour becomes where it is used. */
export interface BrandColors {
  /** A button that is filled with it. */
  action: string;
  actionHover: string;
  /** The text on that. */
  onAction: string;
  /** Links, and what shows the focus. */
  actionText: string;
}

/** The colour itself where it can be read there, else the same hue and saturation with the nearest lightness that can. */
export function brandColors(color: string, palette: Palette): BrandColors {
  const action = nearest(
    color,
    (fill) => textOn(fill) !== undefined && readability(fill, palette.surface) >= CONTROL,
  );
  const onAction = textOn(action) ?? WHITE;
  const base = new TinyColor(action);
  return {
    action,
    // away from its text, which raises the contrast
    actionHover: (onAction === WHITE
      ? base.darken(HOVER_PERCENT)
      : base.lighten(HOVER_PERCENT)
    ).toHexString(),
    onAction,
    actionText: nearest(color, (text) =>
      [palette.page, palette.surface, palette.sunken].every((other) => readability(text, other) >= TEXT),
    ),
  };
}

/** The colour of text on a fill: white, or ink where the fill is too light for white. */
function textOn(fill: string): string | undefined {
  return [WHITE, LIGHT.ink].find((text) => readability(fill, text) >= TEXT);
}

function nearest(color: string, suffices: (candidate: string) => boolean): string {
  const hsl = new TinyColor(color).toHsl();
  const candidates = LIGHTNESSES.toSorted((a, b) => Math.abs(a - hsl.l) - Math.abs(b - hsl.l));
  const colors = [color, ...candidates.map((l) => new TinyColor({ ...hsl, l }).toHexString())];
  return colors.find(suffices) as string; // black suffices on light colours, and white on dark ones
}
