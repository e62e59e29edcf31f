import { growthOfTime, LINEAR } from '../../test/support/growth-of-time.js';
import { archiveNames } from './archive-names.js';

describe('archiveNames', () => {
  it('keeps names that are distinct and allowed everywhere', () => {
    const names = ['plan.pdf', '.bashrc', 'Übergröße – 文書 😀.pdf', 'a b (c).tar.gz', 'שלום.txt'];

    expect(archiveNames(names)).toEqual(names);
  });

  it('numbers names that are the same, also for systems without case or composed letters', () => {
    expect(archiveNames(['a.txt', 'a.txt', 'A.TXT', 'a (2).txt', 'a', 'a', '\u00e9', 'e\u0301'])).toEqual([
      'a.txt',
      'a (2).txt',
      'A (3).TXT',
      'a (2) (2).txt',
      'a',
      'a (2)',
      '\u00e9',
      '\u00e9 (2)',
    ]);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['/etc/passwd', 'passwd'],
    ['..\\..\\x.dll', 'x.dll'],
    ['..', 'file'],
    ['C:x', 'C_x'],
    ['a.txt:stream', 'a.txt_stream'],
    ['CON', 'CON_'],
    ['nul.txt', 'nul_.txt'],
    ['name.', 'name'],
    ['a\0\r\nb\u202etxt.exe', 'abtxt.exe'],
    ['what?*.txt', 'what_.txt'],
  ])('makes %j a name that stays in its folder, %j (F1)', (sent, expected) => {
    expect(archiveNames([sent])).toEqual([expected]);
  });

  it.each([
    '文'.repeat(255),
    '😀'.repeat(255),
    `a.${'文'.repeat(253)}`,
    'n'.repeat(255),
    `${'文'.repeat(251)}.pdf`,
  ])('limits a name to what file systems allow, with its number', (name) => {
    const [first = '', second = ''] = archiveNames([name, name]);

    expect(first.isWellFormed()).toBe(true);
    expect(first).not.toBe(second);
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255);
  });

  it('takes time linear in the count of names that are the same (I5)', async () => {
    const names = (count: number) => Array<string>(count).fill('a.txt');

    expect(new Set(archiveNames(names(5000))).size).toBe(5000);
    expect(await growthOfTime(4000, names, archiveNames)).toBeLessThan(LINEAR);
  });
});
