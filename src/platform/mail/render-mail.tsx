import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { directionOf } from '../../texts/languages.js';
import type { Translator } from '../../texts/translator.js';
import { brandColors } from '../colors/brand-colors.js';
import type { Palette } from '../colors/palettes.js';
import { DARK, LIGHT } from '../colors/palettes.js';
import type { Mail, MailCode, MailLink } from './mail.js';

/** The installation that sends a mail. */
interface MailSite {
  name: string;
  url: string;
  /** The colours of its brand, if it has some. */
  color?: string;
  colorInDark?: string;
}

/** A mail as plain text and as HTML, which loads nothing and contains nothing that tells whether it was read. */
export function renderMail(
  mail: Mail,
  site: MailSite,
  t: Translator,
): { subject: string; text: string; html: string } {
  const footer = t.text('mail.footer', { name: site.name, url: site.url });
  const paragraphs = [...mail.parts.map(partAsText), `-- \n${footer}`];
  return {
    subject: mail.subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>${renderToString(<MailPage mail={mail} site={site} footer={footer} />)}`,
  };
}

function partAsText(part: string | MailLink | MailCode): string {
  if (typeof part === 'string') return part;
  return 'code' in part ? part.code : `${part.label}\n${part.url}`;
}

const SANS = "Geist, system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const MONO = "'Geist Mono', ui-monospace, Menlo, Consolas, monospace";

interface MailPageProps {
  mail: Mail;
  site: MailSite;
  footer: string;
}

/**
 * A letter on a page. Tables and inline styles are what all mail programs show, Outlook on Windows among them; the style
 * element is for those that have a dark mode.
 */
function MailPage({ mail: { language, subject, parts }, site, footer }: MailPageProps) {
  const light = colorsOf(site.color, LIGHT);
  return (
    <html lang={language} dir={directionOf(language)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style
          dangerouslySetInnerHTML={{ __html: darkStyle(colorsOf(site.colorInDark ?? site.color, DARK)) }}
        />
      </head>
      <body class="page" style={`margin: 0; padding: 0; background-color: ${light.page};`}>
        <Table class="page" style={`background-color: ${light.page};`}>
          <td align="center" style="padding: 24px 12px;">
            <Table style="max-width: 560px; text-align: start;">
              <td class="ink" style={`padding: 0 8px 16px; ${textStyle(light.ink, 17)} font-weight: 600;`}>
                {site.name}
              </td>
            </Table>
            <Table
              class="card"
              style={`max-width: 560px; background-color: ${light.surface}; border: 1px solid ${light.line}; border-radius: 16px; border-collapse: separate; text-align: start;`}
            >
              <td class="ink" style={`padding: 20px 28px; ${textStyle(light.ink, 16)}`}>
                {parts.map((part) => (
                  <Part part={part} colors={light} />
                ))}
              </td>
            </Table>
            <Table style="max-width: 560px; text-align: start;">
              <td class="quiet" style={`padding: 16px 8px 0; ${textStyle(light.quiet, 13)}`}>
                {footer}
              </td>
            </Table>
          </td>
        </Table>
      </body>
    </html>
  );
}

type Colors = Palette & ReturnType<typeof brandColors>;

function colorsOf(brand: string | undefined, palette: Palette): Colors {
  return { ...palette, ...brandColors(brand ?? palette.action, palette) };
}

/** Inline styles win over a style element unless that says `!important`. */
function darkStyle({
  page,
  surface,
  line,
  ink,
  quiet,
  sunken,
  action,
  onAction,
  actionText,
}: Colors): string {
  const rules = [
    `.page { background-color: ${page} !important; }`,
    `.card { background-color: ${surface} !important; border-color: ${line} !important; }`,
    `.ink { color: ${ink} !important; }`,
    `.quiet { color: ${quiet} !important; }`,
    `.code { background-color: ${sunken} !important; color: ${ink} !important; }`,
    `.button { background-color: ${action} !important; }`,
    `.button a { color: ${onAction} !important; }`,
    `.link { color: ${actionText} !important; }`,
  ];
  return `@media (prefers-color-scheme: dark) { ${rules.join(' ')} }`;
}

function textStyle(color: string, px: number): string {
  return `font-family: ${SANS}; font-size: ${px}px; line-height: 1.5; color: ${color};`;
}

interface TableProps {
  class?: string;
  style: string;
  /** Its only cell. */
  children: ComponentChildren;
}

function Table({ class: name, style, children }: TableProps) {
  return (
    <table class={name} role="presentation" width="100%" cellSpacing="0" cellPadding="0" style={style}>
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}

function Part({ part, colors }: { part: string | MailLink | MailCode; colors: Colors }) {
  if (typeof part === 'string') return <Paragraph>{part}</Paragraph>;
  return 'code' in part ? <Code colors={colors} {...part} /> : <Button colors={colors} {...part} />;
}

/** Line breaks of the text are kept. */
function Paragraph({ children }: { children: ComponentChildren }) {
  return <p style="margin: 12px 0; white-space: pre-line;">{children}</p>;
}

function Code({ code, colors }: MailCode & { colors: Colors }) {
  return (
    <p
      class="code"
      dir="ltr"
      style={`margin: 16px 0; padding: 14px 16px; border-radius: 10px; background-color: ${colors.sunken}; font-family: ${MONO}; font-size: 24px; letter-spacing: 4px; text-align: center; color: ${colors.ink};`}
    >
      {code}
    </p>
  );
}

/** The link is below its button as text too, for people who look where it leads, or copy it. */
function Button({ url, label, colors: { action, onAction, actionText } }: MailLink & { colors: Colors }) {
  return (
    <>
      <table role="presentation" cellSpacing="0" cellPadding="0" style="margin: 16px 0 8px;">
        <tbody>
          <tr>
            <td class="button" style={`border-radius: 10px; background-color: ${action};`}>
              <a
                href={url}
                style={`display: inline-block; padding: 11px 20px; font-family: ${SANS}; font-size: 16px; font-weight: 600; color: ${onAction}; text-decoration: none;`}
              >
                {label}
              </a>
            </td>
          </tr>
        </tbody>
      </table>
      <p dir="ltr" style="margin: 0 0 12px; font-size: 13px; word-break: break-all;">
        <a class="link" href={url} style={`color: ${actionText};`}>
          {url}
        </a>
      </p>
    </>
  );
}
