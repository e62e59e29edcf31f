import { startSite } from './support/site.js';

const STORED = 'localStorage.getItem("sealpush.settings")';

describe('The settings of the form', () => {
  const { running, person } = startSite({ settings: { END_TO_END: 'off' } });

  beforeEach(() => person.visit('/'));

  const isChosen = (name: string) => person.page.getByLabel(name, { exact: true }).first().isChecked();
  const remember = () => person.box('Remember these settings in this browser');
  const click = () => person.box('Require a click to open');

  it('are remembered in this browser if the sender wants that, and never the secret', async () => {
    await person.choose('Views', '1 view');
    expect(await person.page.evaluate(STORED)).toBeNull();
    await (await remember()).check();
    await person.choose('Expires after', 'Custom');
    await person.fill({ 'Number of days': '3', Secret: 'correct horse', 'Passphrase (optional)': 'sesame' });
    await (await click()).uncheck();
    await person.page.getByRole('radio', { name: 'QR code' }).check();

    expect(await person.page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/horse|sesame/);
    await person.visit('/');

    expect(await isChosen('1 view')).toBe(true);
    expect(await isChosen('QR code')).toBe(true);
    expect(await person.page.locator('#expire_after_days').inputValue()).toBe('3');
    expect(await person.page.locator('[data-terms]').textContent()).toBe(
      '1 view or 3 days, whichever is first.',
    );
    expect(await person.page.locator('[data-set]').textContent()).toBe('opens without a click');
    expect(await person.page.locator('[data-fold=options]').getAttribute('open')).not.toBeNull();
    expect(await (await click()).isChecked()).toBe(false);
    expect(await (await remember()).isChecked()).toBe(true);

    await (await remember()).uncheck();
    expect(await person.page.evaluate(STORED)).toBeNull();
    await person.visit('/');
    expect(await isChosen('5 views')).toBe(true);
  });

  it('do not replace what comes back with an error', async () => {
    await (await remember()).check();
    await person.page.evaluate(
      `localStorage.setItem("sealpush.settings", '{"push[expire_after_views]":"5","push[retrieval_step]":true}')`,
    );
    await person.page.getByLabel('1 view').evaluate((radio: any) => {
      radio.checked = true; // without an event, so that it is not remembered
    });
    await person.press('Create link');
    await person.page.getByText('Fill in this field.').waitFor();

    expect(await isChosen('1 view')).toBe(true);
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

      expect([stored, await isChosen('5 views'), await isChosen('Text')]).toEqual([stored, true, true]);
      expect(await (await click()).isChecked()).toBe(true);
      expect(await person.page.locator('#payload').inputValue()).toBe('');
    }
  });

  it('of the address go before those that are remembered', async () => {
    await person.choose('Views', '1 view');
    await person.choose('Expires after', '1 hour');
    await (await remember()).check();
    await person.visit('/?views=5');

    expect(await isChosen('5 views')).toBe(true);
    expect(await isChosen('1 hour')).toBe(true);
    await person.visit('/');
    expect(await isChosen('1 view')).toBe(true); // an address that somebody else has made is not remembered
  });

  it('of the address are never a secret, which is removed from it', async () => {
    await person.visit('/?views=1&payload=correct+horse&passphrase=sesame&push%5Bpayload%5D=horse');

    expect(await person.page.locator('#payload').inputValue()).toBe('');
    expect(await person.page.locator('#passphrase').inputValue()).toBe('');
    expect(person.page.url()).toBe(`${running.url}/?views=1`);
    expect(await isChosen('1 view')).toBe(true);
  });
});
