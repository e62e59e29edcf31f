import { TinyColor } from '@ctrl/tinycolor';
import type { Palette } from '../../settings/palettes.js';
import { DARK, LIGHT } from '../../settings/palettes.js';

const HOVER_PERCENT = 8;

/** Gives the pages other colours, with the custom properties of sealpush.css and Pico. */
export function brandStylesheet(light: string, dark: string): string {
  return `:root:not([data-theme='dark']) {
${properties(light, LIGHT)}
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme='light']) {
${properties(dark, DARK)}
  }
}
`;
}

/** Hovering moves a colour away from its background, which makes its contrast higher. */
function properties(color: string, { mode, buttonText }: Palette): string {
  const base = new TinyColor(color);
  const hover = (mode === 'light' ? base.darken(HOVER_PERCENT) : base.lighten(HOVER_PERCENT)).toHexString();
  const values = {
    '--accent': color,
    '--on-accent': buttonText,
    '--pico-primary': color,
    '--pico-primary-background': color,
    '--pico-primary-border': color,
    '--pico-primary-underline': color,
    '--pico-primary-hover': hover,
    '--pico-primary-hover-background': hover,
    '--pico-primary-hover-border': hover,
    '--pico-primary-focus': color,
    '--pico-primary-inverse': buttonText,
    '--pico-form-element-focus-color': color,
  };
  return Object.entries(values)
    .map(([name, value]) => `    ${name}: ${value};`)
    .join('\n');
}
