import { FileStore } from '../../src/files/file-store.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { newSignedInUser, PageClient, PASSWORD, tokenIn } from '../support/page-client.js';
import { Settings } from '../../src/platform/settings/settings.js';
import { clientEncryptedPush } from '../support/age-files.js';
import { startApp } from '../support/start-app.js';

const JSON_ANSWER = { Accept: 'application/json' };
const FORM = {
  'push[payload]': 'correct horse',
  'push[passphrase]': 'sesame',
  'push[expire_after_views]': '1',
};

const SECRETS = { payload: 'correct horse', passphrase: 'sesame' };

/** The form as browsers send it. */
function multipart(fields: Record<string, string>, file?: Buffer<ArrayBuffer>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(`push[${name}]`, value);
  if (file) form.set('push[files][]', new Blob([file]), 'a.txt');
  return form;
}

const hidden = (body: string, name: string) =>
  new RegExp(`name="push\\[${name}\\]" value="([^"]*)"`).exec(body)?.[1] ?? '';

describe('The form of a sender', () => {
  const running = forAllTests(startApp);
  const pageClient = forEachTest(() => new PageClient(running.url));

  const count = () => running.dataSource.manager.count(Push);

  it('answers its script with the path of the link', async () => {
    const { status, body } = await pageClient.post('/', FORM, JSON_ANSWER);

    expect(status).toBe(201);
    expect(body).toEqual({ path: expect.stringMatching(/^p\/[\w-]{43}\/preview#delete=[\w-]{43}$/) });
  });

  it('answers its script with the errors in the language of the page, and with nothing that was typed', async () => {
    const wrong = { ...FORM, 'push[expire_after_views]': '1000' };
    const { status, body } = await pageClient.post('/', wrong, { ...JSON_ANSWER, 'Accept-Language': 'de' });

    expect(status).toBe(422);
    expect(body).toEqual({ errors: { expire_after_views: 'Geben Sie eine ganze Zahl von 1 bis 100 ein.' } });
  });

  it('is rejected unencrypted where the browser has to encrypt, which does not concern the API', async () => {
    const settings = running.app.get(Settings);
    settings.END_TO_END = 'required';
    try {
      const { body: form } = await pageClient.get('/');
      expect(form).toMatch(/<button class="btn primary" disabled/);
      const before = await count();
      const page = await pageClient.post('/', FORM);
      expect(page.status).toBe(422);
      expect(page.body).toContain('Secrets have to be encrypted in the browser here. Nothing was created.');
      expect(page.body).not.toContain('correct horse');
      const script = await pageClient.post('/', FORM, JSON_ANSWER);
      expect(script).toMatchObject({ status: 422, body: { errors: { form: expect.any(String) } } });
      expect(await count()).toBe(before);

      const { client_encrypted, payload, passphrase } = clientEncryptedPush();
      const encrypted = {
        'push[client_encrypted]': String(client_encrypted),
        'push[payload]': payload,
        'push[passphrase]': passphrase,
      };
      const { status, body } = await pageClient.post('/', encrypted, JSON_ANSWER);
      expect(status).toBe(201);
      expect(body).toMatchObject({ client_encrypted: true });
      await running.anonymous.push({ payload: 'correct horse' });
    } finally {
      settings.END_TO_END = 'default';
    }
  });

  it('is rejected for another account than the one it was shown to, or for none', async () => {
    const [one, other] = [await newSignedInUser(running), await newSignedInUser(running)];
    const account = hidden((await one.pageClient.get('/')).body, 'account');
    const before = await count();
    for (const client of [other.pageClient, pageClient]) {
      const { status, body } = await client.post('/', { ...FORM, 'push[account]': account });
      expect(status).toBe(409);
      expect(body).toContain('Your account has changed since this form was shown.');
      expect(body).toMatch(/name="push\[expire_after_views\]"[^>]* value="1"|value="1"/);
      expect(body).not.toContain('correct horse');
    }
    const { status, body } = await other.pageClient.post(
      '/',
      { ...FORM, 'push[account]': account },
      JSON_ANSWER,
    );

    expect([status, body]).toMatchObject([409, { owner: { email: other.email } }]);
    expect(await count()).toBe(before);
    expect((await one.pageClient.post('/', { ...FORM, 'push[account]': account })).status).toBe(201);
  });

  it.each<Record<string, string>>([
    { 'push[account][]': 'a' },
    { 'push[account][a]': 'a' },
    { 'push[account]': 'x'.repeat(9999) },
  ])('is rejected with a hostile account: %j', async (account) => {
    expect((await pageClient.post('/', { ...FORM, ...account })).status).toBe(409);
  });

  it('creates nothing twice when it is only sent again, and another push when it was changed', async () => {
    const key = hidden((await pageClient.get('/')).body, 'idempotency_key');
    const submit = (fields: Record<string, string>) =>
      pageClient.post('/', { ...FORM, ...fields, 'push[idempotency_key]': key });
    const tokens = [await submit({}), await submit({}), await submit({ 'push[payload]': 'other' })].map(
      ({ body }) => tokenIn(body),
    );

    expect(key).toMatch(/^[\w-]{43}$/);
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  it('is not created without a passphrase when it had one', async () => {
    const wrong = { ...FORM, 'push[kind]': 'url' };
    const { body } = await pageClient.post('/', wrong);
    const flag = hidden(body, 'passphrase_was_set');
    const again = { ...FORM, 'push[passphrase]': '', 'push[passphrase_was_set]': flag };

    expect(flag).toBe('on');
    const { status, body: refused } = await pageClient.post('/', again);
    expect(status).toBe(422);
    expect(refused).toContain('Enter the passphrase again.');
  });

  it('creates nothing twice when it comes back because the session ended', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    const { body: page } = await member.get('/');
    const carried = { account: hidden(page, 'account'), idempotency_key: hidden(page, 'idempotency_key') };
    const send = (client: PageClient, fields: Record<string, string>) =>
      client.post('/', {
        ...FORM,
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`push[${name}]`, value])),
      });
    const before = await count();
    await send(member, carried);
    const { body } = await send(pageClient, carried);
    const again = { account: '', idempotency_key: hidden(body, 'idempotency_key') };
    const { status } = await send(pageClient, { ...again, account_before: carried.account });

    expect(again.idempotency_key).toBe(carried.idempotency_key);
    expect(status).toBe(409);
    expect(await count()).toBe(before + 1);
  });

  it('leads through the sign-in page back to itself, with its terms and nothing else', async () => {
    const terms = {
      kind: 'url',
      expire_after_views: 'custom',
      custom_views: '3',
      expire_after_duration: '3',
      deletable_by_viewer: 'on',
    };
    const { headers } = await pageClient.post('/users/sign_in_first', multipart({ ...SECRETS, ...terms }));
    const location = new URL(headers.get('location') ?? '', running.url);
    const { email } = await newSignedInUser(running);
    const next = location.searchParams.get('next') ?? '';
    const signedIn = await pageClient.post('/users/sign_in', { email, password: PASSWORD, next });

    expect(location.pathname).toBe('/users/sign_in');
    expect(signedIn.headers.get('location')).toBe('/?kind=url&views=3&duration=1h&click=0&deletable=1');
  });

  it('puts nothing into the address of the sign-in page that is no option of it (M12)', async () => {
    const mistyped = {
      kind: 'correct horse',
      expire_after_views: 'custom',
      custom_views: 'battery',
      expire_after_duration: 'custom',
      expire_after_days: 'staple',
      retrieval_step: 'tulip',
    };
    const { headers } = await pageClient.post('/users/sign_in_first', multipart(mistyped));

    expect(headers.get('location')).toBe('/users/sign_in?next=%2F%3Fclick%3D1%26deletable%3D0');
  });

  it('can be returned to from the page that signing in ends on', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    const page = '/users/signed_in?views=1&click=0&payload=horse&kind="><b>';
    const { body } = await member.get(page);

    expect(body).toContain('Return to the other tab: what you typed is still there.');
    expect(body).toContain('href="/?views=1&amp;click=0"');
    expect((await pageClient.get('/users/signed_in')).status).toBe(303);
  });

  it('shows its link later to anyone who has it, and the activity only to the owner', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    const token = tokenIn((await member.post('/', FORM)).body);
    const path = `/p/${token}/preview`;

    expect((await member.get(path)).body).toContain(`/p/${token}/audit`);
    const { body } = await pageClient.get(path);
    expect(body).not.toContain(`/p/${token}/audit`);
    expect(body).toMatch(/href="mailto:\?subject=[^"]+body=[^"]+"/);
    expect(body).not.toContain('sesame');
  });
});

describe('The form of a sender where anonymous pushes are disabled', () => {
  const TERMS = {
    kind: 'file',
    expire_after_views: '1',
    expire_after_duration: '3',
    retrieval_step: 'on',
    name: 'Zoë <b>',
    account: 'a'.repeat(16),
  };
  const running = forAllTests(() => startApp({ ALLOW_ANONYMOUS: 'false' }));

  beforeEach(() => running.dataSource.manager.deleteAll(Push));

  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of running.app.get(FileStore).list()) keys.push(key);
    return keys;
  };
  const isChosen = (body: string, name: string, value: string) =>
    body.includes(`name="push[${name}]" value="${value}" checked`) ||
    new RegExp(`name="push\\[${name}\\]"((?!</select>).)*<option value="${value}" selected`, 's').test(body);

  it('comes back from an ended session with its terms, and says what to enter again', async () => {
    const form = multipart({ ...SECRETS, ...TERMS }, Buffer.alloc(100_000, 'tulip'));
    const { status, body, headers } = await new PageClient(running.url).post('/', form);

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBeNull();
    expect(body).toContain('Sign in first.');
    expect(body).toContain(
      'href="/users/sign_in?next=%2Fusers%2Fsigned_in%3Fkind%3Dfile%26views%3D1%26duration%3D1h%26click%3D1%26deletable%3D0" target="_blank"',
    );
    for (const [name, value] of Object.entries(TERMS).slice(0, 3))
      expect([name, isChosen(body, name, value)]).toEqual([name, true]);
    expect(body).toContain('name="push[name]" value="Zoë &lt;b>"');
    for (const again of ['Enter the secret again.', 'Enter the passphrase again.', 'Choose the files again.'])
      expect(body).toContain(again);
    expect(body).not.toMatch(/correct horse|sesame|tulip/);
    expect(await stored()).toEqual([]);
    expect(await running.dataSource.manager.count(Push)).toBe(0);
  });

  it('is sent by the same account after it came back', async () => {
    const { pageClient, email } = await newSignedInUser(running);
    const account = hidden((await pageClient.get('/')).body, 'account');
    await pageClient.post('/users/sign_out');
    const { body } = await pageClient.post('/', multipart({ ...SECRETS, account }));
    await pageClient.signIn(email);
    const again = { account: hidden(body, 'account'), account_before: hidden(body, 'account_before') };

    expect((await pageClient.post('/', multipart({ ...SECRETS, ...again }))).status).toBe(201);
  });

  it.each<[string, () => Record<string, string> | FormData]>([
    ['is long', () => multipart({ ...TERMS, payload: 'correct horse'.repeat(10_000) })],
    ['has a wrong encoding', () => ({ 'push[payload]': 'correct horse' })],
  ])('says how to send it again when it %s, and reads no more of it', async (_name, form) => {
    const { status, body } = await new PageClient(running.url).post('/', form());

    expect(status).toBe(401);
    expect(body).toContain('then reload this page');
    expect(body).not.toContain('correct horse');
    expect(body).not.toContain('id="make"');
  });

  it('informs its script that the visitor is not signed in any more', async () => {
    const { status, body } = await new PageClient(running.url).post('/', FORM, JSON_ANSWER);

    expect([status, body]).toEqual([401, { errors: { form: 'Sign in first.' } }]);
    expect(await running.dataSource.manager.count(Push)).toBe(0);
  });
});
