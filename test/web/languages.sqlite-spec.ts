import type { ClientResponse } from '../support/client.js';
import { PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const languageIn = (body: string) => /<html lang="(\w+)"/.exec(body)?.[1];
const cookieOf = ({ headers }: ClientResponse<string>) => headers.getSetCookie()[0]?.split(';')[0] ?? '';

describe('The language of a page', () => {
  let running: RunningApp;

  beforeAll(async () => (running = await startApp()));
  afterAll(() => running.stop());

  const visitor = (headers: Record<string, string> = {}) => new PageClient(running.url, headers);

  it.each([
    [undefined, 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fr,de;q=0.5,en;q=0.4', 'de'],
    ['fr', 'en'],
    ['*', 'en'],
    ['de;q=0', 'en'],
    [';;,,q=,', 'en'],
    ['de,'.repeat(2000), 'de'],
  ])('with Accept-Language %j is %s', async (accepted, language) => {
    const { headers, body } = await visitor(
      accepted === undefined ? {} : { 'Accept-Language': accepted },
    ).get('/');

    expect(languageIn(body)).toBe(language);
    expect(body).toContain(language === 'de' ? 'Geheimnis teilen' : 'Share a secret');
    expect(headers.get('vary')).toBe('Accept-Language, Cookie');
  });

  it('is chosen by a cookie, whatever the browser prefers', async () => {
    const pageClient = visitor({ 'Accept-Language': 'en' });
    const chosen = await pageClient.post('/language', { language: 'de', next: '/users/sign_in' });

    expect(chosen.status).toBe(303);
    expect(chosen.headers.get('location')).toBe('/users/sign_in');
    expect(chosen.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax/);
    expect(languageIn((await pageClient.get('/users/sign_in')).body)).toBe('de');
  });

  it('is the language of the browser if the cookie names another that is not offered', async () => {
    for (const cookie of ['sealpush-language=fr', 'sealpush-language=__proto__', 'sealpush-language=']) {
      expect(languageIn((await visitor({ Cookie: cookie, 'Accept-Language': 'de' }).get('/')).body)).toBe(
        'de',
      );
    }
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '',
  ])('is not changed by way of another site: %j leads to the front page', async (next) => {
    const { status, headers } = await visitor().post('/language', { language: 'de', next });

    expect([status, headers.get('location')]).toEqual([303, '/']);
  });

  it.each(['fr', '', 'constructor', 'de\r\nSet-Cookie: a=b'])('cannot be %j', async (language) => {
    const { status, headers } = await visitor().post('/language', { language });

    expect(status).toBe(404);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('cannot be chosen on an error page, which would have to quote the path of the request', async () => {
    for (const path of ['/qxsecret', '/p/qxsecret', '/en/qxsecret']) {
      expect((await visitor({ Accept: 'text/html' }).get(path)).body).not.toContain('qxsecret');
    }
  });

  it('is not changed by a form on another site', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const answer = await visitor().post('/language', { language: 'de' }, headers);

    expect(answer.status).toBe(403);
    expect(cookieOf(answer)).toBe('');
  });

  it('leads back to the page of a list, and from no response to a form, which cannot be shown again', async () => {
    expect((await visitor().get('/users/sign_in?next=%2Fusers%2Ftoken&x=1')).body).toContain(
      'name="next" value="/users/sign_in?next=%2Fusers%2Ftoken"',
    );
    expect((await visitor().get('/?kind=url&views=1&duration=1h&click=0&payload=tulip')).body).toContain(
      'name="next" value="/?kind=url&amp;views=1&amp;duration=1h&amp;click=0"',
    );
    expect((await visitor().post('/', { 'push[payload]': 'x' })).body).not.toContain('action="/language"');
  });

  it('is also that of error messages, and the API stays English', async () => {
    const german = visitor({ 'Accept-Language': 'de' });
    const wrong = { 'push[kind]': 'url', 'push[payload]': 'example.com', 'push[expire_after_days]': '1000' };
    const { url_token } = await running.anonymous.push({ payload: 'x', passphrase: 'sesame' });

    const form = (await german.post('/', wrong)).body;
    expect(form).toContain('Geben Sie eine vollständige Adresse ein, zum Beispiel https://example.com.');
    expect(form).toContain('Geben Sie eine ganze Zahl von 1 bis 90 ein.');
    expect((await german.post(`/p/${url_token}`, { passphrase: 'x' })).body).toContain(
      'Die Passphrase ist falsch.',
    );
    expect((await german.post('/users/sign_in', { email: 'a', password: 'b' })).body).toContain(
      'E-Mail-Adresse oder Passwort ist falsch.',
    );
    expect((await german.post('/users/sign_up', { email: 'a', password: 'b' })).body).toContain(
      'Verwenden Sie 10 bis 128 Zeichen.',
    );
    expect((await german.get('/nowhere')).body).toContain('Seite nicht gefunden');
    expect((await german.get(`/p/${'a'.repeat(24)}`)).body).toContain('Dieser Link ist abgelaufen');
    const api = await running.anonymous
      .with({ 'Accept-Language': 'de' })
      .post('/api/v2/pushes', { push: { payload: '' } });
    expect(api.body).toMatchObject({ payload: ["can't be blank"] });
  });
});
