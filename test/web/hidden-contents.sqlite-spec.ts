import type { ClientResponse } from '../support/client.js';
import { forAllTests } from '../support/for-tests.js';
import { newSignedInUser } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const FILES = [{ filename: 'tulips.txt', content: Buffer.from('tulip').toString('base64') }];
const INSIDE_AN_APP = { 'User-Agent': 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Instagram 300.0' };

describe('What a push contains', () => {
  const running = forAllTests(startApp);
  const member = forAllTests(() => newSignedInUser(running));
  const owner = forAllTests(() => running.newUser());

  /** The page of a link, without what is different on each. */
  async function visit(token: unknown, headers: Record<string, string> = {}): Promise<string> {
    const path = `/p/${String(token)}`;
    const { status, body } = (await running.anonymous.with(headers).get(path)) as ClientResponse<string>;
    expect(status).toBe(200);
    return body
      .replaceAll(String(token), 'TOKEN')
      .replace(/data-link="[^"]+"/, '')
      .replaceAll(/<time.*?<\/time>/g, '');
  }

  it.each([
    ['', {}],
    [' inside an app, which may not save files', INSIDE_AN_APP],
  ])('is not on the page of its link if its sender hides it%s', async (_, headers) => {
    const text = await owner.client.push({ payload: 'tulip', hides_contents: true });
    const files = await owner.client.push({ payload: 'tulip', files: FILES, hides_contents: true });
    const page = await visit(files.url_token, headers);

    expect(page).toContain('Someone sent you a secret');
    expect(page).toBe(await visit(text.url_token, headers));
    expect(page).not.toContain('class="what"');
  });

  it('is on the page otherwise', async () => {
    const text = await owner.client.push({ payload: 'tulip' });
    const files = await owner.client.push({ payload: 'tulip', files: FILES, hides_contents: false });

    expect(await visit(text.url_token)).toMatch(/class="what".*?>Text</);
    expect(await visit(files.url_token)).toContain('1 file, 5\u00a0bytes');
  });

  it('is hidden by the form while “More” is on, and only then', async () => {
    const share = async (fields: Record<string, string>) => {
      const { status, body } = await member.pageClient.post('/', {
        'push[payload]': 'tulip',
        'push[options_of]': 'account',
        'push[hides_contents]': 'on',
        ...fields,
      });
      expect(status).toBe(201);
      return visit(/\/p\/([\w-]{43})/.exec(body)?.[1]);
    };

    expect(await share({ 'push[with_more]': 'on' })).not.toContain('class="what"');
    expect(await share({})).toContain('class="what"');
  });

  it('stays hidden in a form that comes back', async () => {
    const { status, body } = await member.pageClient.post('/', { 'push[hides_contents]': 'on' });

    expect(status).toBe(422);
    expect(body).toMatch(/id="hides_contents"[^>]* checked/);
    expect(body).toMatch(/id="with-more"[^>]* checked/);
    expect((await member.pageClient.get('/')).body).not.toMatch(/id="hides_contents"[^>]* checked/);
  });

  it('is said to be hidden to the owner alone', async () => {
    const created = await owner.client.push({ payload: 'tulip', hides_contents: true });
    const listed = await owner.client.get('/api/v2/pushes/active');

    expect(created.hides_contents).toBe(true);
    expect(listed.body).toContainEqual(
      expect.objectContaining({ url_token: created.url_token, hides_contents: true }),
    );
    expect((await running.anonymous.retrieve(created.url_token)).body).not.toHaveProperty('hides_contents');
    expect(await owner.client.push({ payload: 'tulip' })).not.toHaveProperty('hides_contents');
  });

  it('is hidden by nothing but true or false', async () => {
    const push = { payload: 'tulip', hides_contents: 'perhaps' };
    const { status, body } = await running.anonymous.post('/api/v2/pushes', { push });

    expect([status, body]).toEqual([422, { hides_contents: ['must be true or false'] }]);
  });
});
