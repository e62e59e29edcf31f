import { ENGLISH } from '../../texts/translator.js';
import type { Mail } from './mail.js';
import { renderMail } from './render-mail.js';

const URL = 'https://push.example.org/p/abc#k<ey>';
const SITE = { name: 'Example & Sons', url: 'https://push.example.org' };

const mailWith = (...parts: Mail['parts']): Mail => ({
  to: 'bob@example.org',
  language: 'en',
  subject: 'A <secret> for you',
  parts,
});

describe('A mail', () => {
  const { subject, text, html } = renderMail(
    mailWith('Hello <b>you</b>.\nSecond line.', { url: URL, label: 'Open the secret' }, { code: '123 456' }),
    SITE,
    ENGLISH,
  );

  it('has as text what it has as HTML, with the link and the code in lines of their own', () => {
    expect(subject).toBe('A <secret> for you');
    expect(text).toBe(
      `Hello <b>you</b>.\nSecond line.\n\nOpen the secret\n${URL}\n\n123 456\n\n-- \nSent by Example & Sons, https://push.example.org. Replies to this email are not read.\n`,
    );
    for (const words of ['Hello &lt;b>you&lt;/b>.', 'Open the secret', '123 456', 'Example &amp; Sons'])
      expect(html).toContain(words);
  });

  it('leads to the link by a button and by the link itself, as it is', () => {
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

    expect(links).toEqual([URL.replace('<', '&lt;'), URL.replace('<', '&lt;')]);
  });

  it('loads nothing: no image, stylesheet, typeface or script', () => {
    expect(html).not.toMatch(/<(?:img|link|script|iframe|object|video)|url\(|@import|@font-face|\ssrc=/i);
  });

  it('has another background and other text in the dark, and says so to mail programs', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toMatch(/prefers-color-scheme: dark.*\.card \{ background-color: #151c1a !important;/);
  });

  it('has its text in tables without floats, grids or variables, as Outlook shows them', () => {
    expect(html).not.toMatch(/display: (?:flex|grid)|float:|var\(--|position:/);
    for (const [table] of html.matchAll(/<table[^>]*>/g)) expect(table).toContain('role="presentation"');
  });

  it('has a button in the colour of the brand, whose text can be read', () => {
    const branded = (color: string) =>
      renderMail(mailWith({ url: URL, label: 'Open' }), { ...SITE, color }, ENGLISH).html;

    expect(branded('#8a1538')).toMatch(/class="button" style="[^"]*background-color: #8a1538;"/);
    expect(branded('#ffcc00')).toMatch(/color: #16211e; text-decoration: none;/);
  });
});
