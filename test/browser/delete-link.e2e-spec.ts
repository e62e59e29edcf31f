import type { Browser } from 'playwright-core';
import { PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { launch, Person } from './support/browser.js';

describe('The delete link of a push', () => {
  let running: RunningApp;
  let browser: Browser;

  beforeAll(async () => {
    running = await startApp();
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  const newLink = async () => {
    const { body } = await new PageClient(running.url).post('/', { 'push[payload]': 'correct horse' });
    const [link = '', token = '', key = ''] =
      /http[^"]+\/p\/([\w-]{43})\/delete#([\w-]{43})/.exec(body) ?? [];
    return { link, token, key };
  };

  it('takes one click, and its key is in no request but that one', async () => {
    const { link, token, key } = await newLink();
    const person = await Person.open(browser, running.url);
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
    expect(person.errors).toEqual([]);
    await person.context.close();
  });

  it('works without script, when its key is pasted', async () => {
    const { link, token, key } = await newLink();
    const person = await Person.open(browser, running.url, { javaScriptEnabled: false });
    await person.visit(link);
    await person.page.locator('input[name=delete_key]').fill(key);
    await person.press('Delete permanently');
    await person.waitForHeading('Secret deleted');

    expect((await running.anonymous.retrieve(token)).body.deleted).toBe(true);
    await person.context.close();
  });
});
