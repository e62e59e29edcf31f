import { Injectable } from '@nestjs/common';
import { brandColors } from '../../platform/colors/brand-colors.js';
import type { Palette } from '../../platform/colors/palettes.js';
import { DARK, LIGHT } from '../../platform/colors/palettes.js';
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
      const dark = settings.BRAND_COLOR_DARK ?? BRAND_COLOR;
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

/** Gives the pages other colours, with the custom properties of sealpush.css. */
function brandStylesheet(light: string, dark: string): string {
  return `${properties(light, LIGHT)}@media (prefers-color-scheme: dark) { ${properties(dark, DARK)}}\n`;
}

function properties(color: string, palette: Palette): string {
  const { action, actionHover, onAction, actionText } = brandColors(color, palette);
  return `:root {
  --action: ${action};
  --action-hover: ${actionHover};
  --on-action: ${onAction};
  --action-text: ${actionText};
  --focus: ${actionText};
}
`;
}
