import { forThisTest } from '../../../test/support/for-tests.js';
import { newSignedInUser, PageClient } from '../../../test/support/page-client.js';
import { ageRecipient } from '../../../test/support/requests.js';
import { startApp } from '../../../test/support/start-app.js';

const ASKED = 'The password of the shop, please';

describe('An installation', () => {
  it('without requests has none of their pages, and no links to them', async () => {
    const running = await forThisTest(startApp({ ENABLE_REQUESTS: 'false' }));
    const { pageClient } = await newSignedInUser(running);
    for (const client of [pageClient, new PageClient(running.url)])
      for (const path of ['/requests', '/requests/new', '/requests/Fq3vN7mXzK1bT9cYwR5sH8'])
        expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    expect((await pageClient.post('/requests', { request: ASKED })).status).toBe(404);
    for (const path of ['/', '/pushes', '/users/edit'])
      expect((await pageClient.get(path)).body).not.toContain('/requests');
  });

  it('that requires encryption takes only requests whose answers are encrypted', async () => {
    const running = await forThisTest(startApp({ END_TO_END: 'required' }));
    const { pageClient } = await newSignedInUser(running);
    const { recipient } = await ageRecipient();

    expect((await pageClient.post('/requests', { request: ASKED })).status).toBe(422);
    const { headers } = await pageClient.post('/requests', { request: ASKED, recipient });
    const path = headers.get('location') ?? '';
    const stranger = new PageClient(running.url);
    expect((await stranger.post(path, { 'push[payload]': 'tulip' })).status).toBe(422);
    expect((await stranger.get(path)).body).toContain('This page needs JavaScript');
  });

  it('below a path has it in every link and redirect', async () => {
    const running = await forThisTest(startApp({ PUBLIC_URL: 'http://push.example.org/secrets' }));
    const { pageClient } = await newSignedInUser(running);
    const { headers } = await pageClient.post('/secrets/requests', { request: ASKED });
    const path = headers.get('location') ?? '';

    expect(path).toMatch(/^\/secrets\/requests\/[\w-]{43}$/);
    expect((await pageClient.get(path)).body).toContain(`value="http://push.example.org${path}"`);
    const form = await new PageClient(running.url).get(path);
    expect(form.body).toContain(`action="${path}"`);
  });
});
