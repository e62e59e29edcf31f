import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { catalogueOf } from '../../src/texts/catalogue.js';
import { allElements } from '../../src/texts/message.js';
import { formsOn, otherFields, pagesFrom } from '../hard/support/page-forms.js';
import { newAdministrator } from '../support/administrator.js';
import { Client } from '../support/client.js';
import type { ClientResponse } from '../support/client.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/for-tests.js';
import { allSent } from '../support/mailbox.js';
import type { ReceivedMail } from '../support/mail-server.js';
import { startMailServer } from '../support/mail-server.js';
import { PageClient, PASSWORD } from '../support/page-client.js';
import { routesOf } from '../support/routes.js';
import { startApp } from '../support/start-app.js';

/** A language whose times have no Latin letters. */
const LANGUAGE = 'ar';

/** What is the same in every language: names of programs, formats, protocols and units. */
const NAMES =
  /Sealpush|UTC|QR|API|JSON|HTTPS?|Node\.js|node|SQLite|better-sqlite3|OpenID|[kKMG]i?B|Linux|Chrome|Firefox|Windows|macOS|example|URL|zip|age1|age/g;

/** A message in letters that look otherwise: whatever has common letters on a page does not come from the catalogue. */
function pseudo(message: string): string {
  const literals = allElements(parse(message, { captureLocation: true })).filter(
    ({ type }) => type === TYPE.literal,
  );
  const isLiteral = [...message].map((_, i) =>
    literals.some(({ location }) => location && location.start.offset <= i && i < location.end.offset),
  );
  return [...message].map((letter, i) => (isLiteral[i] ? wide(letter) : letter)).join('');
}

const wide = (letter: string) =>
  /[a-z]/i.test(letter) ? String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0) : letter;

/** The words with common letters that people read on a page. */
function literalWordsIn(html: string): string[] {
  const shown = html
    .replace(/<tr\b(?:(?!<\/tr>)[\s\S])*<code[^>]*>[\s\S]*?<\/tr>/g, ' ') // a setting with its value
    .replace(/<(script|style|svg|code|pre|title|bdi|textarea)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<(\w+)\b[^>]* lang="en"[\s\S]*?<\/\1>/g, ' ');
  const attributes = [...shown.matchAll(/ (?:title|aria-label|placeholder|alt)="([^"]*)"/g)].map(
    ([, value]) => value ?? '',
  );
  const texts = [...shown.replace(/<[^>]*>/g, '\n').split('\n'), ...attributes];
  return texts.flatMap((text) => wordsIn(text));
}

function wordsIn(text: string): string[] {
  const own = text
    .replace(/\u2068[^\u2069]*\u2069/g, ' ') // the value of a parameter
    .replace(/&\w+;|&#\d+;/g, ' ')
    .replace(/\S+@\S+|https?:\/\/\S+|[\da-f]{8}-[\da-f-]{27}|\S*\d\S*/g, ' ')
    .replace(/\b(push|request)\.\w+/g, ' ') // the name of an event
    .replace(NAMES, ' ');
  return own.match(/[a-z]{2,}/gi)?.map((word) => `${word} in “${text.trim().slice(0, 80)}”`) ?? [];
}

describe('With a catalogue of other letters', () => {
  const folder = forAllTests(makeFolder);
  const mails = forAllTests(startMailServer);
  const running = forAllTests(async () => {
    const TEXTS_FILE = join(folder.path, 'texts.json');
    const texts = Object.entries(catalogueOf('en')).map(([key, text]) => [key, pseudo(text)]);
    await writeFile(TEXTS_FILE, JSON.stringify({ [LANGUAGE]: Object.fromEntries(texts) }));
    return startApp({ ...mails.env, LANGUAGES: LANGUAGE, TEXTS_FILE });
  });

  it('all that pages and mails say is in these letters', async () => {
    const { pageClient, email } = await newAdministrator(running);
    await running.dataSource.query('UPDATE users SET email_unverified = 0');
    const paths = await makeThings(pageClient, email);
    const visitor = new PageClient(running.url);

    const pages = [...(await pagesOf(visitor, paths)), ...(await pagesOf(pageClient, paths))];
    const found = new Set(pages.flatMap(literalWordsIn));
    await allSent(running);
    const inMails = mails.received.flatMap(({ subject = '', text = '' }: ReceivedMail) =>
      wordsIn(`${subject} ${text}`),
    );

    expect(pages.length).toBeGreaterThan(50);
    expect([...found]).toEqual([]);
    expect(mails.received.length).toBeGreaterThan(4);
    expect(inMails).toEqual([]);
  });

  /** One of each thing that pages show, without words of its own. Returns paths that no page links to. */
  async function makeThings(pageClient: PageClient, email: string): Promise<string[]> {
    const created = await Promise.all(
      [
        { kind: 'text', notify_emails_to: 'x@example.org' },
        { kind: 'url', payload: 'https://example.org' },
        { kind: 'qr', passphrase: '1' },
        { kind: 'text', recipients: 'x@example.org' },
      ].map((fields) =>
        pageClient.post(
          '/',
          named({ payload: '1', expire_after_views: '9', retrieval_step: '1', ...fields }),
        ),
      ),
    );
    const links = created.map(({ headers }) => (headers.get('location') ?? '').replace(/\/preview.*/, ''));
    const { headers } = await pageClient.post('/requests', { request: '1', answers: '2' });
    await pageClient.post('/users/token', { name: '1' });
    for (const path of ['/users/webhooks', '/admin/webhooks'])
      await pageClient.post(path, { url: 'https://example.org/', 'push.created': 'on', password: PASSWORD });
    const stranger = new PageClient(running.url);
    await stranger.post('/users/password', { email });
    await stranger.post('/users/sign_up_link', { email });
    await stranger.post('/users/sign_up_link', { email: 'new@example.org' });
    return [
      ...routesOf(running.app).flatMap(({ method, path }) =>
        method === 'GET' && !path.includes(':') ? path : [],
      ),
      ...links.flatMap((link) => [link, `${link}/audit`, `${link}/preview`, `${link}/delete`]),
      headers.get('location') ?? '',
      `/p/${'x'.repeat(43)}`,
      '/nowhere',
    ].filter((path) => !path.startsWith('/api/'));
  }

  /** The pages that can be reached from these, and those that respond to each of their forms. */
  async function pagesOf(pageClient: PageClient, paths: string[]): Promise<string[]> {
    const client = new Client(running.url, { Cookie: pageClient.cookies, 'Sec-Fetch-Site': 'same-origin' });
    const pages = await pagesFrom(paths, async (path) => htmlOf(await client.get(path)));
    for (const found of formsOn(pages)) {
      const form = { ...found, fields: found.fields.filter(({ type }) => type !== 'file') };
      if (form.method !== 'POST' || form.fields.length === 0) continue;
      for (const password of ['', PASSWORD])
        pages.push(
          htmlOf(await client.post(form.action, new URLSearchParams(otherFields(form, '', password)))),
        );
    }
    return pages;
  }
});

const named = (fields: Partial<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value = '']) => [`push[${name}]`, value]));

function htmlOf({ headers, body }: ClientResponse): string {
  return headers.get('content-type')?.startsWith('text/html') ? body : '';
}
