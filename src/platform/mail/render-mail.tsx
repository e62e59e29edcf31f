import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { directionOf } from '../../texts/languages.js';
import type { Translator } from '../../texts/translator.js';
import type { Mail, MailLink } from './mail.js';

const STYLE = 'font-family: sans-serif; font-size: 16px; line-height: 1.5; max-width: 36em;';

/** The installation that sends a mail. */
export interface MailSite {
  name: string;
  url: string;
}

/** A mail as plain text and as HTML, which loads nothing and contains nothing that tells whether it was read. */
export function renderMail(
  mail: Mail,
  site: MailSite,
  t: Translator,
): { subject: string; text: string; html: string } {
  const footer = t.text('mail.footer', { ...site });
  const paragraphs = [...mail.parts.map(partAsText), `-- \n${footer}`];
  return {
    subject: mail.subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>${renderToString(<MailPage mail={mail} footer={footer} />)}`,
  };
}

function partAsText(part: string | MailLink): string {
  return typeof part === 'string' ? part : `${part.label}\n${part.url}`;
}

function MailPage({ mail: { language, subject, parts }, footer }: { mail: Mail; footer: string }) {
  return (
    <html lang={language} dir={directionOf(language)}>
      <head>
        <meta charset="utf-8" />
        <title>{subject}</title>
      </head>
      <body style={STYLE}>
        {parts.map((part) =>
          typeof part === 'string' ? <Paragraph>{part}</Paragraph> : <LinkParagraph link={part} />,
        )}
        <hr />
        <Paragraph>
          <small>{footer}</small>
        </Paragraph>
      </body>
    </html>
  );
}

/** Line breaks of the text are kept. */
function Paragraph({ children }: { children: ComponentChildren }) {
  return <p style="white-space: pre-line;">{children}</p>;
}

function LinkParagraph({ link: { url, label } }: { link: MailLink }) {
  return (
    <p>
      {label}
      <br />
      <a href={url} dir="ltr">
        {url}
      </a>
    </p>
  );
}
