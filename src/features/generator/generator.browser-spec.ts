import { readFileSync } from 'node:fs';
import { startSite } from '../../../test/browser/support/site.js';
import { eventually } from '../../../test/support/eventually.js';

const WORDS = new Set(readFileSync('src/web/assets/words-en.txt', 'utf8').split('\n').slice(3));

describe('The generator', () => {
  const { person, meet } = startSite();

  beforeEach(() => person.visit('/'));

  const secret = () => person.page.locator('#payload').inputValue();
  const passphrase = () => person.page.locator('#passphrase').inputValue();
  const generator = (field: string) => person.page.locator(`[data-generator=${field}]`);
  const button = (field: string) => person.page.locator(`[data-generate=${field}]`);
  const options = async (field: string) => {
    await (await person.unfolded(button(field))).click(); // its options are shown after that
    await generator(field).getByText('Generator options').click();
    return generator(field);
  };

  it.each([
    ['payload', 'Generate password', String.raw`\S{20}`],
    ['passphrase', 'Generate passphrase', String.raw`[a-z-]+(-[a-z-]+){4,}`],
  ])(
    'inserts into the %s where the caret is, replaces only what it made, and Ctrl+Z takes it back',
    async (id, button, made) => {
      const whole = new RegExp(`^correct ${made}horse$`);
      const field = await person.unfolded(person.page.locator(`#${id}`));
      await field.focus();
      await person.page.keyboard.type('correct horse');
      for (let i = 0; i < 'horse'.length; i++) await person.page.keyboard.press('ArrowLeft');
      await person.press(button);
      const inserted = async (before: string) => {
        await person.page.waitForFunction(
          ([id, value]) => (globalThis as any).document.getElementById(id).value !== value,
          [id, before],
        );
        return field.inputValue();
      };
      const first = await inserted('correct horse');
      expect(first).toMatch(whole);
      await person.press(button);
      const second = await inserted(first);
      expect(second).toMatch(whole);
      expect(second).not.toBe(first);

      await field.focus();
      while ((await field.inputValue()) !== 'correct horse') await person.page.keyboard.press('Control+z');
    },
  );

  it('adds another one once something was typed behind its last one, or that was changed', async () => {
    await person.press('Generate password');
    const first = await secret();
    await person.page.locator('#payload').press('Enter');
    await person.press('Generate password');
    const [kept, second = ''] = (await secret()).split('\n');
    expect(kept).toBe(first);
    expect(second).toHaveLength(20);

    await person.page.locator('#payload').press('Backspace');
    await person.press('Generate password');
    expect(await secret()).toHaveLength(20 + 1 + 19 + 20);
  });

  it('has a length, with or without symbols, and remembers them but no password', async () => {
    const chosen = await options('payload');
    await chosen.getByLabel('Length').fill('12');
    await chosen.getByLabel('Symbols').uncheck();
    await person.press('Generate password');
    const first = await secret();
    expect(first).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z0-9]{12}$/);

    expect(await person.page.evaluate('JSON.stringify(localStorage)')).not.toContain(first);
    await person.page.reload();
    expect(await chosen.getByText('Generator options').isVisible()).toBe(true);
    await person.page.locator('#payload').fill('');
    await person.press('Generate password');
    expect(await secret()).toMatch(/^[A-Za-z0-9]{12}$/);
    expect(await secret()).not.toBe(first);
  });

  it('keeps the length within its bounds', async () => {
    const length = (await options('payload')).getByLabel('Length');
    for (const [typed, used] of [
      ['3', 8],
      ['1000', 64],
      ['', 20],
    ] as const) {
      await length.fill(typed);
      await length.press('Enter');

      expect(await secret()).toHaveLength(used);
      expect(await person.heading()).toBe('Share a secret');
    }
  });

  it('makes passphrases of words, whose list it loads only then', async () => {
    const loaded: string[] = [];
    person.page.on('request', (request) => request.url().endsWith('.txt') && loaded.push(request.url()));
    await person.unfolded(person.page.locator('#passphrase'));
    await person.page.waitForLoadState('networkidle');
    expect(loaded).toEqual([]);
    const chosen = await options('passphrase');
    await chosen.getByLabel('Number of words').fill('6');

    const next = async () => {
      await person.page.locator('#passphrase').fill('');
      await person.press('Generate passphrase');
      await eventually(async () => (await passphrase()) !== '');
      return passphrase();
    };
    const passphrases = [await next(), await next()];

    expect(WORDS.size).toBeGreaterThan(7775);
    expect(passphrases[0]).not.toBe(passphrases[1]);
    for (const text of passphrases) {
      // four words of the list have a hyphen in them
      const words = text
        .replace(/drop-down|felt-tip|t-shirt|yo-yo/g, (word) => word.replace('-', '_'))
        .split('-');
      expect(words).toHaveLength(6);
      expect(words.filter((word) => !WORDS.has(word.replace('_', '-')))).toEqual([]);
    }
    expect(loaded).toHaveLength(1);
  });

  it.each([
    ['when its words have arrived', true],
    ['not at all when they cannot be loaded', false],
  ])('is asked for and the form sent at once, which is sent %s', async (_name, isLoaded) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await person.page.route('**/words-en.txt', async (route) => {
      await held;
      await (isLoaded ? route.continue() : route.fulfill({ status: 404 }));
    });
    await person.fill({ Secret: 'correct horse' });
    await (await person.unfolded(button('passphrase'))).click();
    await person.press('Create link');
    release();
    if (isLoaded) {
      await person.waitForHeading('Your link is ready');
      expect(await passphrase()).toMatch(/^[a-z]+(-[a-z-]+){4,}$/);
    } else {
      await person.page.getByRole('alert').getByText('The word list could not be loaded.').waitFor();
      expect(await person.heading()).toBe('Share a secret');
    }
  });

  it('says when the list of words cannot be loaded, and loses nothing', async () => {
    await person.page.route('**/words-en.txt', (route) => route.fulfill({ status: 404 }));
    const chosen = await options('payload');
    await chosen.getByLabel('Made of').selectOption('Words');
    await person.page.locator('#payload').fill('correct horse');
    await person.press('Generate password');

    await chosen.getByText('The word list could not be loaded.').waitFor();
    expect(await secret()).toBe('correct horse');
  });

  it('shows a passphrase that it makes, which can be hidden and shown again, and is hidden when it is sent', async () => {
    const type = async () => (await person.unfolded(person.page.locator('#passphrase'))).getAttribute('type');
    expect(await type()).toBe('password');
    await person.press('Generate passphrase');
    await person.page.locator('#passphrase[type=text]').waitFor(); // once the words have been loaded
    await person.press('Hide passphrase');
    expect(await type()).toBe('password');
    await person.press('Show passphrase');
    expect(await type()).toBe('text');

    await person.press('Create link');
    await person.page.getByText('Fill in this field.').waitFor();
    expect(await type()).toBe('password');
  });

  it('is not there without scripts', async () => {
    const plain = await meet({ javaScriptEnabled: false });
    await plain.visit('/');

    for (const name of ['Generate password', 'Generate passphrase', 'Show passphrase'])
      expect(await plain.page.getByText(name).isVisible()).toBe(false);
  });
});
