import { created, download, encoded, linksOf } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

/** Names as sent, and as returned. */
const NAMES: [sent: string, returned: string][] = [
  ['../../etc/passwd', 'passwd'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Users\\me\\plan.docx', 'plan.docx'],
  ['..\\..\\x', 'x'],
  ['a/..', 'file'],
  ['folder/', 'file'],
  ['.', 'file'],
  ['..', 'file'],
  ['.....', 'file'],
  ['   ', 'file'],
  ['.bashrc', '.bashrc'],
  ['a\r\nSet-Cookie: x=1\r\n.txt', 'aSet-Cookie: x=1.txt'],
  ['say "hi"; filename="x".txt', 'say "hi"; filename="x".txt'],
  ["50%.pdf; it's $HOME `id`", "50%.pdf; it's $HOME `id`"],
  ['<img src=x onerror=alert(1)>.svg', '<img src=x onerror=alert(1)>.svg'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['pl\u200ban\u2060.\u00adp\ufeffdf', 'plan.pdf'],
  ['שלום.txt', 'שלום.txt'],
  ['Übergröße – 文書 😀👩‍👩‍👧.pdf', 'Übergröße – 文書 😀👩👩👧.pdf'],
  ['e\u0301.txt', 'e\u0301.txt'],
  ['😀'.repeat(300), '😀'.repeat(255)],
  ['n'.repeat(300), 'n'.repeat(255)],
  [
    `${'minutes of the meeting '.repeat(14)}.pdf`,
    `${'minutes of the meeting '.repeat(14).slice(0, 251)}.pdf`,
  ],
  [`${'é'.repeat(300)}.tar.gz`, `${'é'.repeat(248)}.tar.gz`],
  [`${'😀'.repeat(300)}.docx`, `${'😀'.repeat(250)}.docx`],
  [`a.${'n'.repeat(300)}`, `a.${'n'.repeat(253)}`],
  [`${'n'.repeat(300)}. Nothing else`, 'n'.repeat(255)],
];

describe('A file name', () => {
  const running = forAllTests(startApp);
  const user = forAllTests(() => running.newUser());

  it.each([...NAMES, ['', 'file'], ['a\0b.txt', 'ab.txt'], ['a\tb\u007f\u0085.txt', 'ab.txt']])(
    'in JSON is returned without paths, control and format characters: %j (F1, E10, L21)',
    async (sent, returned) => {
      const { url_token } = await user.client.push({ files: encoded([{ name: sent, content: 'hello' }]) });

      await expectName(url_token, returned);
    },
  );

  // characters that a form cannot have in quotes are escaped as browsers do
  it.each(NAMES)(
    'in a form is returned without paths, control and format characters: %j (F1, E10, L21)',
    async (sent, returned) => {
      const escaped = sent.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
      const { url_token } = created(await sendForm(escaped));

      await expectName(url_token, returned);
    },
  );

  it.each(['a\0b.txt', 'a\u007f.txt'])('in a form does not break the form: %j (E10)', async (name) => {
    expect(await sendForm(name)).toMatchObject({
      status: 400,
      body: { error: 'The body is not well-formed.' },
    });
  });

  it.each([
    ['r\xe9sum\xe9.txt', 'résumé.txt'],
    ['\x80 5 \x96 \xdcbersicht.txt', '€ 5 – Übersicht.txt'],
    ['caf\xe9\xff\xfe.txt', 'caféÿþ.txt'],
  ])('in a form that is not in UTF-8 is read as Windows-1252: %j', async (sent, returned) => {
    const { url_token } = created(await sendPart(`filename="${sent}"`, 'text/plain', 'latin1'));

    await expectName(url_token, returned);
  });

  it('in a form may be encoded according to RFC 5987', async () => {
    const part = `filename="x.txt"; filename*=UTF-8''%E6%96%87%E6%9B%B8.txt`;
    const { url_token } = created(await sendPart(part, 'text/plain'));

    await expectName(url_token, '文書.txt');
  });

  it('that is not well-formed Unicode is repaired', async () => {
    const { url_token } = await user.client.push({ files: encoded([{ name: 'a\ud800.txt', content: 'x' }]) });

    await expectName(url_token, 'a\ufffd.txt');
  });

  it.each([
    ['text/html', 'text/html'],
    ['image/svg+xml', 'image/svg+xml'],
    ['text/plain;charset=iso-8859-1', 'text/plain;charset=iso-8859-1'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', undefined],
    ['nonsense', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    [null, 'application/octet-stream'],
    ['text/html\r\nX-Evil: 1', 'application/octet-stream'],
    ['text/html; x=\u00e9', 'application/octet-stream'],
    ['text/' + 'x'.repeat(300), 'application/octet-stream'],
  ])('is returned with its declared type, if that is valid: %j (E3, E10)', async (declared, returned) => {
    const files = [{ filename: 'a', content_type: declared, content: 'aGVsbG8=' }];
    const { url_token } = await user.client.push({ files });
    const { body } = await running.anonymous.retrieve(url_token);
    const { headers } = await download(body.files[0].url);

    expect(body.files[0].content_type).toBe(returned ?? declared);
    expect(headers.get('content-type')).toBe(returned ?? declared);
    expect(headers.get('x-evil')).toBeNull();
  });

  it('in a form is returned with its declared type too', async () => {
    const { url_token } = created(await sendPart('filename="a.html"', 'text/html'));
    const [url = ''] = await linksOf(running.anonymous, url_token);

    expect((await download(url)).headers.get('content-type')).toBe('text/html');
  });

  async function expectName(urlToken: string, name: string): Promise<void> {
    const { body } = await running.anonymous.retrieve(urlToken);
    const { headers, bytes } = await download(body.files[0].url);
    const disposition = headers.get('content-disposition') ?? '';

    expect(body.files[0].filename).toBe(name);
    expect(String(bytes)).toBe(body.files[0].filename === 'a\ufffd.txt' ? 'x' : 'hello');
    expect(disposition).toMatch(/^attachment; filename[*]?=/);
    expect(disposition).toMatch(/^[\x20-\x7e]*$/);
    expect(nameIn(disposition)).toBe(name);
    expect(headers.get('set-cookie')).toBeNull();
  }

  function sendForm(name: string) {
    return sendPart(`filename="${name.replaceAll('\\', '\\\\')}"`, 'text/plain');
  }

  function sendPart(filename: string, type: string, encoding: 'utf8' | 'latin1' = 'utf8') {
    const body =
      `--b\r\nContent-Disposition: form-data; name="push[files][]"; ${filename}\r\n` +
      `Content-Type: ${type}\r\n\r\nhello\r\n--b--\r\n`;
    return user.client.send('POST', '/api/v2/pushes', Buffer.from(body, encoding), {
      'Content-Type': 'multipart/form-data; boundary=b',
    });
  }
});

/** As a browser reads it (RFC 6266): the extended form has precedence. */
function nameIn(disposition: string): string | undefined {
  const extended = /filename\*=UTF-8''([^;]+)$/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const quoted = /filename="((?:[^"\\]|\\.)*)"$/.exec(disposition)?.[1];
  return quoted?.replace(/\\(.)/g, '$1') ?? /filename=([^;"]+)$/.exec(disposition)?.[1];
}
