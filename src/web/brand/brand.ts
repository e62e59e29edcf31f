import { Injectable } from '@nestjs/common';
import { TinyColor } from '@ctrl/tinycolor';
import { nearestReadable } from '../../platform/settings/contrast.js';
import type { Palette } from '../../platform/settings/palettes.js';
import { DARK, LIGHT } from '../../platform/settings/palettes.js';
import { Settings } from '../../platform/settings/settings.js';
import type { SiteBrand } from '../components/site.js';

type BrandFile = [name: string, read: () => Buffer];

/** How the operator has the pages look. */
@Injectable()
export class Brand implements SiteBrand {
  readonly name: string;
  readonly operator?: string;
  readonly contact?: string;
  readonly footer?: string;
  readonly logo?: string;
  readonly stylesheet?: string;
  /** The assets of this brand. */
  readonly files: BrandFile[] = [];

  constructor(settings: Settings) {
    const { OPERATOR_NAME, OPERATOR_CONTACT, FOOTER_TEXT, BRAND_LOGO_FILE: logo, BRAND_COLOR } = settings;
    this.name = OPERATOR_NAME ?? 'Sealpush';
    this.operator = OPERATOR_NAME;
    this.contact = OPERATOR_CONTACT === undefined ? undefined : contactUrl(OPERATOR_CONTACT);
    this.footer = FOOTER_TEXT;
    if (logo) this.logo = this.add(`logo.${logo.extension}`, logo.content);
    if (BRAND_COLOR !== undefined) {
      const dark = settings.BRAND_COLOR_DARK ?? nearestReadable(BRAND_COLOR, DARK);
      this.stylesheet = this.add('brand.css', Buffer.from(brandStylesheet(BRAND_COLOR, dark)));
    }
  }

  private add(name: string, content: Buffer): string {
    this.files.push([name, () => content]);
    return name;
  }
}

/** A contact is an https URL or an email address. */
function contactUrl(contact: string): string {
  if (contact.startsWith('https://')) return contact;
  const at = contact.lastIndexOf('@');
  return `mailto:${encodeURIComponent(contact.slice(0, at))}${contact.slice(at)}`;
}

const HOVER_PERCENT = 8;

/** Gives the pages other colours, with the custom properties of sealpush.css and Pico. */
function brandStylesheet(light: string, dark: string): string {
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
