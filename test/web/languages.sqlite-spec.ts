import { Translator } from '../../src/texts/translator.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { newSignedInUser, PageClient } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const languageIn = (body: string) => /<html lang="([\w-]+)"/.exec(body)?.[1];

describe('The language of a page', () => {
  const running = forAllTests(startApp);

  const visitor = (headers: Record<string, string> = {}) => new PageClient(running.url, headers);

  it.each([
    [undefined, 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fi,de;q=0.5,en;q=0.4', 'de'],
    ['fi', 'en'],
    ['pt-PT,en;q=0.5', 'pt-BR'],
    ['ar-EG', 'ar'],
    ['*', 'en'],
    ['de;q=0', 'en'],
    [';;,,q=,', 'en'],
    ['de,'.repeat(2000), 'de'],
  ] as const)('with Accept-Language %j is %s', async (accepted, language) => {
    const { headers, body } = await visitor(
      accepted === undefined ? {} : { 'Accept-Language': accepted },
    ).get('/');

    expect(languageIn(body)).toBe(language);
    expect(body).toContain(`>${new Translator(language).text('home.title')}</h1>`);
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

  it('is that of the parameter locale, which is kept, and not in the links of the page', async () => {
    const pageClient = visitor({ 'Accept-Language': 'en' });
    const { headers, body } = await pageClient.get('/users/sign_in?locale=de_AT');

    expect(languageIn(body)).toBe('de');
    expect(headers.getSetCookie()[0]).toMatch(/^sealpush-language=de; .*HttpOnly; SameSite=Lax/);
    expect(body).not.toContain('locale=');
    expect(languageIn((await pageClient.get('/')).body)).toBe('de');
  });

  it.each(['xx', '', 'de;q=1', 'a'.repeat(10_000), 'de\r\nSet-Cookie: a=b'])(
    'is not that of the parameter %j, which names none',
    async (locale) => {
      const { status, headers, body } = await visitor().get(
        `/?${new URLSearchParams({ locale }).toString()}`,
      );

      expect([status, languageIn(body), headers.getSetCookie()]).toEqual([200, 'en', []]);
    },
  );

  it('is that of the account wherever its owner signs in, whatever URLs and browsers say', async () => {
    const { pageClient, email } = await newSignedInUser(running);
    await pageClient.post('/language', { language: 'de' });
    const elsewhere = visitor({ 'Accept-Language': 'en' });
    await elsewhere.signIn(email);

    expect(languageIn((await elsewhere.get('/pushes?locale=en')).body)).toBe('de');
    await elsewhere.post('/language', { language: 'en' });
    expect(languageIn((await pageClient.get('/pushes')).body)).toBe('en');
  });

  it.each([
    ['/de/p/T', '/p/T?locale=de', 'de'],
    ['/en/f/T', '/p/T?locale=en', 'en'],
    ['/en/r/T/r', '/p/T?locale=en', 'en'],
    ['/fi/p/T', '/p/T', 'de'],
  ])('is that of the link %s, as other servers of the API make them', async (path, location, language) => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', retrieval_step: true });
    const pageClient = visitor({ 'Accept-Language': 'de' });
    const { status, headers } = await pageClient.get(path.replace('T', url_token));

    expect([status, headers.get('location')]).toEqual([303, location.replace('T', url_token)]);
    const page = await pageClient.get(headers.get('location') ?? '');
    expect(languageIn(page.body)).toBe(language);
    expect((await pageClient.post(`/p/${url_token}`)).body).toContain('tulip');
  });

  it('is the language of the browser if the cookie names another that is not offered', async () => {
    for (const cookie of ['sealpush-language=xx', 'sealpush-language=__proto__', 'sealpush-language=']) {
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

  it.each(['xx', '', 'constructor', 'de\r\nSet-Cookie: a=b'])('cannot be %j', async (language) => {
    const { status, headers } = await visitor().post('/language', { language });

    expect(status).toBe(404);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('cannot be chosen on an error page, which would have to quote the path of the request', async () => {
    // the token of a push has at least eight characters
    for (const path of ['/qx-tiny', '/p/qx-tiny', '/en/qx-tiny']) {
      expect((await visitor({ Accept: 'text/html' }).get(path)).body).not.toContain('qx-tiny');
    }
  });

  it('leads back to the page of a list, and from no response to a form, which cannot be shown again', async () => {
    expect((await visitor().get('/users/sign_in?next=%2Fusers%2Ftoken&x=1')).body).toContain(
      'name="next" value="/users/sign_in?next=%2Fusers%2Ftoken"',
    );
    expect((await visitor().get('/?kind=url&views=1&duration=1h&click=0&payload=tulip')).body).toContain(
      'name="next" value="/?kind=url&amp;views=1&amp;duration=1h&amp;click=0"',
    );
    const { url_token } = await running.anonymous.push({ payload: 'x' });
    for (const path of ['/', `/p/${url_token}`])
      expect((await visitor().post(path, { 'push[payload]': 'x' })).body).not.toContain('action="/language"');
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
    expect((await german.get(`/p/${'a'.repeat(24)}`)).body).toContain('Dieses Geheimnis gibt es nicht mehr');
    const api = await running.anonymous
      .with({ 'Accept-Language': 'de' })
      .post('/api/v2/pushes', { push: { payload: '' } });
    expect(api.body).toMatchObject({ payload: ["can't be blank"] });
  });
});

describe('The languages of an instance', () => {
  it('are those that its operator offers, and the first is for everybody else', async () => {
    const running = await startApp({ LANGUAGES: 'de' });
    const page = await new PageClient(running.url, { 'Accept-Language': 'en' }).get('/?locale=en');
    const chosen = await new PageClient(running.url).post('/language', { language: 'en' });
    await running.stop();

    expect(languageIn(page.body)).toBe('de');
    expect(page.body).not.toContain('action="/language"'); // there is nothing to choose
    expect(chosen.status).toBe(404);
  });

  it('have a default one', async () => {
    const german = await forThisTest(startApp({ DEFAULT_LANGUAGE: 'de' }));
    const { body } = await new PageClient(german.url, { 'Accept-Language': 'xx' }).get('/');

    expect(languageIn(body)).toBe('de');
  });

  it('have sentences of the operator’s own', async () => {
    const folder = await forThisTest(makeFolder());
    const texts = {
      en: { 'home.title': "Hand over a '<password>'", 'script.copied': "In your hands '</script>'" },
    };
    const TEXTS_FILE = folder.file(JSON.stringify(texts));
    const { url } = await forThisTest(startApp({ TEXTS_FILE }));
    const [english, german] = await Promise.all(
      ['en', 'de'].map((language) => new PageClient(url, { 'Accept-Language': language }).get('/')),
    );

    expect(english?.body).toContain('Hand over a &lt;password>');
    expect(english?.body).not.toContain('</script>"');
    expect(german?.body).toContain('Geheimnis teilen');
  });
});
