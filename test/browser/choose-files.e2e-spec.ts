import { randomUUID } from 'node:crypto';
import { PASSWORD } from '../support/page-client.js';
import { startSite } from './support/site.js';
import { MIB } from '../../src/platform/settings/units.js';

describe('The files of the form', () => {
  const { person, meet, signIn } = startSite({
    settings: {
      END_TO_END: 'off',
      MAX_FILES: '3',
      MAX_FILE_SIZE: String(MIB),
      MAX_PUSH_SIZE: String(2 * MIB),
    },
    browser: { locale: 'en-GB' },
  });

  beforeEach(async () => {
    await signIn();
    await person.visit('/');
  });

  const file = (name: string, size: number) => ({ name, mimeType: 'x/y', buffer: Buffer.alloc(size) });
  const rows = () => person.page.locator('[data-chosen] li').allTextContents();
  const error = () => person.page.locator('[data-files-error]').textContent();
  const chooseFiles = (...files: ReturnType<typeof file>[]) =>
    person.page.locator('#files').setInputFiles(files);

  /** Gives a file to the page as a drop or a paste does. */
  async function give(type: 'drop' | 'paste', name: string, mimeType: string, text?: string): Promise<void> {
    await person.page.evaluate(
      ({ type, name, mimeType, text }) => {
        const { DataTransfer, File, DragEvent, ClipboardEvent, document } = globalThis as any;
        const data = new DataTransfer();
        data.items.add(new File(['content'], name, { type: mimeType }));
        if (text !== undefined) data.items.add(text, 'text/plain');
        const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
        const event = type === 'drop' ? new DragEvent('drop', init) : new ClipboardEvent('paste', init);
        document.querySelector(type === 'drop' ? 'footer' : '#payload').dispatchEvent(event);
      },
      { type, name, mimeType, text },
    );
  }

  it('are listed with their sizes, added to those chosen before, and removed one by one', async () => {
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await chooseFiles(file('a.txt', 10));
    await chooseFiles(file('b.txt', MIB / 2), file('a.txt', 11));
    expect(await rows()).toEqual(['a.txt10\u00a0bytes', 'b.txt512\u00a0kB', 'a.txt11\u00a0bytes']);

    await person.page.getByRole('button', { name: 'Remove a.txt' }).first().focus();
    await person.page.keyboard.press('Enter');

    expect(await rows()).toEqual(['b.txt512\u00a0kB', 'a.txt11\u00a0bytes']);
    expect(await person.page.locator(':focus').getAttribute('aria-label')).toBe('Remove b.txt');
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');
    await person.visit(await person.page.locator('#link').inputValue());
    await person.press('Open');
    await person.waitForHeading('Here are the files');
    expect(await person.page.locator('[data-download] > [data-name]').allTextContents()).toEqual([
      'b.txt',
      'a.txt',
    ]);
  });

  it('are checked as they are chosen, in the words of the server, and not sent', async () => {
    const posts: string[] = [];
    person.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await chooseFiles(file('small.txt', 10), file('large.bin', MIB + 1));

    expect(await error()).toBe('Each file can be up to 1\u00a0MB.');
    expect(await person.page.locator('[data-chosen] .wrong .name').allTextContents()).toEqual(['large.bin']);
    await person.press('Create link');
    expect(posts).toEqual([]);

    await person.press('Remove large.bin');
    expect(await error()).toBe('');
    await chooseFiles(file('b.bin', MIB), file('c.bin', MIB));
    expect(await error()).toBe('All files together can be up to 2\u00a0MB.');
    await chooseFiles(file('d.bin', 1));
    expect(await error()).toBe('Choose at most 3 files.');
  });

  it('can be dropped anywhere on the page and pasted, which chooses the kind, and pictures get a name', async () => {
    await person.page.locator('#payload').fill('see the picture');
    await give('drop', 'dropped.txt', 'text/plain');
    await give('paste', 'image.png', 'image/png');
    await give('paste', 'image.png', 'image/png');

    const names = await person.page.locator('[data-chosen] .name').allTextContents();
    expect(names[0]).toBe('dropped.txt');
    expect(names[1]).toMatch(/^screenshot-\d{4}-\d\d-\d\d-\d{4}\.png$/);
    expect(names[2]).toMatch(/^screenshot-\d{4}-\d\d-\d\d-\d{4}(-2)?\.png$/);
    expect(new Set(names).size).toBe(3);
    expect(await person.page.getByRole('radio', { name: 'Files' }).isChecked()).toBe(true);
    expect(await person.page.locator('#payload').inputValue()).toBe('see the picture');
  });

  it('are not taken from a clipboard that has a text', async () => {
    await give('paste', 'image.png', 'image/png', 'a cell');

    expect(await rows()).toEqual([]);
    expect(await person.page.getByRole('radio', { name: 'Text' }).isChecked()).toBe(true);
  });

  it('are sent after all other fields', async () => {
    const names = await person.page
      .locator('form#make')
      .evaluate((form: any) => [...form.elements].map(({ name }: any) => name).filter(Boolean));
    expect(names.at(-1)).toBe('push[files][]');
  });

  it('are chosen in the browser’s own field without scripts, and an error stands beside it', async () => {
    const plain = await meet({ javaScriptEnabled: false });
    await signIn(plain);
    await plain.visit('/');
    await plain.page.getByRole('radio', { name: 'Files' }).check();
    await plain.press('Create link');

    await plain.page.locator('[data-field=files]').getByText('Choose at least one file.').waitFor();
    await plain.page
      .getByLabel('Files', { exact: true })
      .last()
      .setInputFiles([file('a.txt', 3)]);
    await plain.press('Create link');
    await plain.waitForHeading('Your link is ready');
  });
});

describe('The files of a visitor who has to sign in to share them', () => {
  const { person } = startSite();

  it('are listed, not sent before that, and sent after signing up in another tab', async () => {
    await person.visit('/');
    await person.page.evaluate(() => {
      const { DataTransfer, File, DragEvent, document } = globalThis as any;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['minutes'], 'a.txt'));
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
      if (document.body.dispatchEvent(drop)) throw new Error('the browser would open the file');
    });
    const notice = person.page.locator('[data-sign-in]');
    expect(await notice.textContent()).toContain('Sharing files needs an account.');
    await person.fill({ 'Message (optional)': 'as agreed' });
    await person.press('Create link');
    const alert = person.page.getByRole('alert');
    await alert.getByText('Nothing was created: sharing files needs an account.').waitFor();
    expect(await alert.getByRole('link', { name: 'Sign in' }).isVisible()).toBe(true);

    const opening = person.context.waitForEvent('page');
    await notice.getByRole('link', { name: 'create one' }).click();
    const tab = await opening;
    const email = `${randomUUID()}@example.org`;
    await tab.locator('[data-repeat]').waitFor({ state: 'detached' }); // by the script
    await tab.getByLabel('Email').fill(email);
    await tab.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await tab.getByRole('button', { name: 'Create account' }).click();
    await tab.getByText('Enter your password once more to sign in.').waitFor();
    expect(await tab.getByLabel('Email').inputValue()).toBe(email);
    await tab.keyboard.type(PASSWORD);
    await tab.keyboard.press('Enter');
    await tab.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    await tab.close();
    await person.page.evaluate('dispatchEvent(new Event("focus"))');
    await notice.waitFor({ state: 'detached' });
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');
    expect(await person.page.locator('[data-shared]').textContent()).toBe(
      '1 file, 7\u00a0bytes · with a message',
    );
  });
});
