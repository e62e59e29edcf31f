import { pushFiles } from '../support/files.js';
import { Keyboard } from './support/keyboard.js';
import { startSite } from './support/site.js';

describe('With the keyboard alone, and the focus always visible,', () => {
  const { running, person, signIn } = startSite({
    settings: { FILES_REQUIRE_AUTHENTICATION: 'false' },
    browser: { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 360, height: 640 } },
  });
  let keyboard: Keyboard;

  beforeEach(() => (keyboard = new Keyboard(person.page)));
  afterEach(() => {
    expect(keyboard.errors).toEqual([]);
  });

  const button = (name: string) => person.page.getByRole('button', { name, exact: true });
  const radio = (name: string) => person.page.getByRole('radio', { name, exact: true });
  const summary = (text: string) => person.page.locator('summary', { hasText: text });
  const field = (id: string) => person.page.locator(`#${id}`);
  const copied = () => person.page.evaluate<string>('navigator.clipboard.readText()');

  async function copyBy(name: string): Promise<string> {
    await person.page.evaluate(`navigator.clipboard.writeText('')`);
    await keyboard.use(button(name));
    await person.page.getByRole('status').getByText('Copied').waitFor();
    await person.page.waitForFunction(`navigator.clipboard.readText().then((copied) => copied !== '')`);
    return copied();
  }

  it('a sender chooses kind and terms, generates a password, copies both links and deletes the secret', async () => {
    await person.visit('/');
    await person.page.locator('#payload:focus').waitFor(); // by itself, once the page is shown
    await keyboard.type('correct ');
    await keyboard.use(button('Generate password'));
    expect(await field('payload').inputValue()).toMatch(/^correct \S{20}$/);
    await keyboard.press('Shift+Tab');
    await keyboard.press('ArrowRight');
    expect(await radio('Files').isChecked()).toBe(true);
    await keyboard.press('ArrowLeft');

    await keyboard.tabTo(person.page.getByLabel('Views', { exact: true }));
    await keyboard.press('ArrowUp');
    await keyboard.tabTo(person.page.getByLabel('Expires after', { exact: true }));
    await keyboard.press('ArrowUp');
    await keyboard.tabTo(person.page.getByLabel('Recipients can delete it'));
    await keyboard.press('Space');
    await keyboard.use(button('Create link'));
    await person.waitForHeading('Your link is ready');

    await button('Copy link').and(person.page.locator(':focus')).waitFor(); // by itself
    const link = await copyBy('Copy link');
    await keyboard.use(summary('Keep a way to delete it later…'));
    const deleteLink = await copyBy('Copy the link for deleting');
    const token = /\/p\/([\w-]{43})/.exec(link)?.[1] ?? '';
    expect((await running.anonymous.get(`/api/v2/pushes/${token}/preview`)).status).toBe(200);
    await person.visit(deleteLink);
    await keyboard.use(button('Delete permanently'));
    await person.waitForHeading('Secret deleted');
  });

  it('a recipient enters a passphrase twice, copies, hides and shows the secret', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse', passphrase: 'sesame' });
    await person.visit(html_url as string);
    await keyboard.tabTo(field('passphrase'));
    await keyboard.type('open up');
    await keyboard.press('Enter');
    await person.page.getByText('The passphrase is wrong.').waitFor();
    await keyboard.press('ControlOrMeta+a'); // the focus has come back
    await keyboard.type('sesame');
    await keyboard.press('Enter');
    await person.waitForHeading('Here is the secret');

    expect(await copyBy('Copy')).toBe('correct horse');
    await keyboard.use(button('Hide'));
    await field('secret').waitFor({ state: 'hidden' });
    await keyboard.press('Enter');
    await field('secret').waitFor();
  });

  it('a recipient downloads files', async () => {
    const files = ['minutes.txt', 'figures.ods'].map((name) => ({ name, content: name }));
    const { html_url } = await pushFiles(running.anonymous, files, { retrieval_step: 'true' });
    await person.visit(html_url as string);
    await keyboard.use(button('Open'));
    await person.waitForHeading('Here are the files');
    for (const [link, filename] of [
      ['minutes.txt', 'minutes.txt'],
      ['Download all', 'files.zip'],
    ] as const) {
      const download = person.page.waitForEvent('download');
      await keyboard.use(person.page.getByRole('link', { name: link }));
      expect((await download).suggestedFilename()).toBe(filename);
    }
  });

  it('a recipient clicks to open, and opens again', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse', retrieval_step: true });
    await person.visit(html_url as string);
    await keyboard.use(button('Open'));
    await person.waitForHeading('Here is the secret');
    await person.page.reload();

    await keyboard.use(button('Open again (uses 1 view)'));

    await person.waitForHeading('Here is the secret');
  });

  it('somebody asks for a secret, a stranger answers, and the answer is read', async () => {
    await signIn();
    await person.visit('/requests/new');
    await person.page.locator('#request:focus').waitFor();
    await keyboard.type('Your key, please');
    await keyboard.tabTo(field('answers'));
    await keyboard.press('ArrowUp');
    await keyboard.use(button('Create link'));
    await person.waitForHeading('Your link is ready');
    await button('Copy link').and(person.page.locator(':focus')).waitFor();
    const link = await copyBy('Copy link');

    const session = await person.context.cookies();
    await person.context.clearCookies();
    await person.visit('/');
    await person.visit(link);
    await person.page.locator('#payload:focus').waitFor();
    await keyboard.type('correct horse');
    await keyboard.use(button('Send'));
    await person.waitForHeading('Sent');

    await person.context.addCookies(session);
    await person.visit('/requests');
    await keyboard.use(person.page.getByRole('link', { name: 'Your key, please' }));
    await person.waitForHeading('Your key, please');
    await keyboard.use(person.page.getByRole('link', { name: 'Open', exact: true }));
    await field('secret').waitFor();
    expect(await copyBy('Copy')).toBe('correct horse');
  });
});
