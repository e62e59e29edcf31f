import { PageClient } from '../support/page-client.js';
import { startSite } from './support/site.js';

describe('The delete link of a push', () => {
  const { running, person, meet } = startSite();

  const newLink = async () => {
    const { body } = await new PageClient(running.url).post('/', { 'push[payload]': 'correct horse' });
    const [link = '', token = '', key = ''] =
      /http[^"]+\/p\/([\w-]{43})\/delete#([\w-]{43})/.exec(body) ?? [];
    return { link, token, key };
  };

  it('takes one click, and its key is in no request but that one', async () => {
    const { link, token, key } = await newLink();
    const sent: string[] = [];
    person.page.on('request', (request) =>
      sent.push(`${request.url()} ${JSON.stringify(request.headers())}`),
    );
    await person.visit(link);

    expect(await person.page.locator('input[name=delete_key]').inputValue()).toBe(key);
    expect(person.page.url()).not.toContain(key);
    await person.press('Delete permanently');
    await person.waitForHeading('Secret deleted');

    expect(sent.filter((request) => request.includes(key))).toEqual([]);
    expect((await running.anonymous.retrieve(token)).body.deleted).toBe(true);
  });

  it('works without script, when its key is pasted', async () => {
    const { link, token, key } = await newLink();
    const reader = await meet({ javaScriptEnabled: false });
    await reader.visit(link);
    await reader.page.locator('input[name=delete_key]').fill(key);
    await reader.press('Delete permanently');
    await reader.waitForHeading('Secret deleted');

    expect((await running.anonymous.retrieve(token)).body.deleted).toBe(true);
  });
});
