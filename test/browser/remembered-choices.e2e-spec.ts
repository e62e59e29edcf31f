import { startSite } from './support/site.js';

const STORED = 'localStorage.getItem("sealpush.settings")';

describe('The settings of the form', () => {
  const { running, person } = startSite({ settings: { END_TO_END: 'off' } });

  beforeEach(() => person.visit('/'));

  const isChosen = (name: string) => person.page.getByLabel(name, { exact: true }).first().isChecked();
  const chosen = (list: string) =>
    person.page
      .getByLabel(list, { exact: true })
      .evaluate((select: any) => String(select.selectedOptions[0].text));
  const chosenViews = () => chosen('Views');
  const remember = () => person.box('Remember these options in this browser');
  const click = () => person.box('Require a click to open');

  it('are remembered in this browser if the sender wants that, and never the secret', async () => {
    await person.choose('Views', '1 view');
    expect(await person.page.evaluate(STORED)).toBeNull();
    await (await remember()).check();
    await person.choose('Expires after', 'Other…');
    await person.fill({ 'Number of days': '3', Secret: 'correct horse', Passphrase: 'sesame' });
    await (await click()).uncheck();
    await person.page.getByRole('radio', { name: 'QR code' }).check();

    expect(await person.page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/horse|sesame/);
    await person.visit('/');

    expect(await chosenViews()).toBe('1 view');
    expect(await isChosen('QR code')).toBe(true);
    expect(await person.page.locator('#expire_after_days').inputValue()).toBe('3');
    expect(await isChosen('More')).toBe(true); // what differs from usual is shown
    expect(await isChosen('Passphrase')).toBe(false);
    expect(await (await click()).isChecked()).toBe(false);
    expect(await (await remember()).isChecked()).toBe(true);

    await (await remember()).uncheck();
    expect(await person.page.evaluate(STORED)).toBeNull();
    await person.visit('/');
    expect(await chosenViews()).toBe('5 views');
  });

  it('do not replace what comes back with an error', async () => {
    await (await remember()).check();
    await person.page.evaluate(
      `localStorage.setItem("sealpush.settings", '{"push[expire_after_views]":"5","push[retrieval_step]":true}')`,
    );
    await person.page.getByLabel('Views', { exact: true }).evaluate((list: any) => {
      list.value = '1'; // without an event, so that it is not remembered
    });
    await person.press('Create link');
    await person.page.getByText('Fill in this field.').waitFor();

    expect(await chosenViews()).toBe('1 view');
  });

  it('stay the defaults when something else is stored', async () => {
    for (const stored of [
      'null',
      '[]',
      'not JSON',
      '{"push[expire_after_views]":{},"push[custom_views]":1e9,"push[retrieval_step]":"no"}',
      '{"push[expire_after_views]":"\\"] , *","push[kind]":"files","push[payload]":"x"}',
    ]) {
      await person.page.evaluate((text) => {
        (globalThis as any).localStorage.setItem('sealpush.settings', text);
      }, stored);
      await person.visit('/');

      expect([stored, await chosenViews(), await isChosen('Text')]).toEqual([stored, '5 views', true]);
      expect(await (await click()).isChecked()).toBe(true);
      expect(await person.page.locator('#payload').inputValue()).toBe('');
    }
  });

  it('of the address go before those that are remembered', async () => {
    await person.choose('Views', '1 view');
    await person.choose('Expires after', '1 hour');
    await (await remember()).check();
    await person.visit('/?views=5');

    expect(await chosenViews()).toBe('5 views');
    expect(await chosen('Expires after')).toBe('1 hour');
    await person.visit('/');
    expect(await chosenViews()).toBe('1 view'); // an address that somebody else has made is not remembered
  });

  it('of the address are never a secret, which is removed from it', async () => {
    await person.visit('/?views=1&payload=correct+horse&passphrase=sesame&push%5Bpayload%5D=horse');

    expect(await person.page.locator('#payload').inputValue()).toBe('');
    expect(await person.page.locator('#passphrase').inputValue()).toBe('');
    expect(person.page.url()).toBe(`${running.url}/?views=1`);
    expect(await chosenViews()).toBe('1 view');
  });
});
