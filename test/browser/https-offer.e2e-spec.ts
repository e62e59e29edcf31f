import { startSite } from './support/site.js';

describe('A web address that is not complete', () => {
  const { person } = startSite();

  beforeEach(() => person.visit('/?kind=url'));

  const type = async (text: string) => {
    await person.page.locator('#payload').fill(text);
    await person.page.keyboard.press('Tab');
    return person.page.locator('[data-https]').textContent();
  };

  it('can be completed, which can be undone', async () => {
    for (const [typed, address] of [
      ['example.com', 'https://example.com'],
      ['example.com:8080/a?b#c', 'https://example.com:8080/a?b#c'],
      ['//example.com', 'https://example.com'],
      [' https://example.com ', 'https://example.com'],
      ['bücher.example', 'https://bücher.example'],
    ] as const) {
      expect(await type(typed)).toBe(`Use ${address}`);

      await person.press(`Use ${address}`);

      expect(await person.page.locator('#payload').inputValue()).toBe(address);
      expect(await person.page.locator('[data-https]').textContent()).toBe('');
      await person.page.keyboard.press('Control+z');
      expect(await person.page.locator('#payload').inputValue()).toBe(typed);
    }
  });

  it('is not guessed from anything else', async () => {
    for (const typed of [
      'https://example.com',
      'correct horse',
      'javascript:alert(1)',
      'mailto:a@example.com',
      'secret',
      '',
    ])
      expect([typed, await type(typed)]).toEqual([typed, '']);
  });

  it('is completed when it is sent', async () => {
    await person.page.locator('#payload').fill('example.com/report');
    await person.visit(await person.createLink());
    await person.press('Open');

    expect(await person.page.locator('#secret').textContent()).toBe('https://example.com/report');
  });

  it('is offered by keyboard alone', async () => {
    await type('example.com');
    await person.page.locator('#payload').focus();
    await person.page.keyboard.press('Tab');
    await person.page.keyboard.press('Enter');

    expect(await person.page.locator('#payload').inputValue()).toBe('https://example.com');
  });
});
