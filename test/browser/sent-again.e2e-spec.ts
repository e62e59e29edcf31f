import type { Browser } from 'playwright-core';
import { Push } from '../../src/pushes/push.entity.js';
import type { CuttingProxy } from '../support/cutting-proxy.js';
import { startCuttingProxy } from '../support/cutting-proxy.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { launch, Person } from './support/browser.js';

describe('The script of the form, when a response is lost', () => {
  let running: RunningApp;
  let proxy: CuttingProxy;
  let browser: Browser;
  let person: Person;

  beforeAll(async () => {
    running = await startApp({ END_TO_END: 'off' });
    proxy = await startCuttingProxy(running.url);
    browser = await launch();
  });
  beforeEach(async () => {
    await running.dataSource.manager.deleteAll(Push);
    person = await Person.open(browser, proxy.url);
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
  });
  afterEach(() => person.context.close());
  afterAll(async () => {
    await browser.close();
    await proxy.stop();
    await running.stop();
  });

  const count = () => running.dataSource.manager.count(Push);

  it('sends the form again and creates one push', async () => {
    const before = proxy.posts();
    proxy.cutAnswers(1);
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');

    expect(proxy.posts() - before).toBe(2);
    expect(await count()).toBe(1);
    const link = await person.page.locator('#link').inputValue();
    const [, urlToken = ''] = /\/p\/([\w-]+)/.exec(link) ?? [];
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('correct horse');
  });

  it('creates one push when the user has to send the form again', async () => {
    proxy.cutAnswers(2);
    await person.press('Create link');
    await person.page.getByRole('alert').waitFor();
    expect(await person.page.locator('#payload').inputValue()).toBe('correct horse');
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');

    expect(await count()).toBe(1);
  });

  it('creates another push from a form that was changed', async () => {
    proxy.cutAnswers(2);
    await person.press('Create link');
    await person.page.getByRole('alert').waitFor();
    await person.fill({ Secret: 'battery staple' });
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');

    expect(await count()).toBe(2);
  });
});
