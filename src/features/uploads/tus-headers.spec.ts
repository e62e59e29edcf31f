import { growthOfTime, LINEAR } from '../../../test/support/growth-of-time.js';
import { readChecksum, readSize, UploadMetadata } from './tus-headers.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('The headers of an upload', () => {
  it.each([
    ['0', 0],
    ['9007199254740991', 2 ** 53 - 1],
  ])('have sizes such as %s', (text, size) => {
    expect(readSize({ 'upload-length': text }, 'Upload-Length')).toBe(size);
  });

  it.each([
    '',
    '-1',
    '1.5',
    '1e3',
    ' 1',
    '+1',
    '0x1',
    '9007199254740992',
    '99999999999999999999',
    'NaN',
    '1, 1',
  ])('have no size %j', (text) => {
    expect(() => readSize({ 'upload-offset': text }, 'Upload-Offset')).toThrow();
  });

  it('have metadata with a name and a type', () => {
    const metadata = new UploadMetadata(
      `filename ${base64('../Grüße.txt')},filetype ${base64('text/plain')}, is_empty`,
    );

    expect(metadata).toMatchObject({ filename: 'Grüße.txt', contentType: 'text/plain' });
    expect(metadata.value('is_empty')).toBe('');
    expect(metadata.value('__proto__')).toBeUndefined();
    expect(new UploadMetadata('')).toMatchObject({
      filename: 'file',
      contentType: 'application/octet-stream',
    });
  });

  it.each([
    ['a key twice', 'a YQ==,a YQ=='],
    ['an empty pair', 'a YQ==,,b YQ=='],
    ['a key that is not ASCII', 'ä YQ=='],
    ['two values', 'a YQ== YQ=='],
    ['no base64', 'filename x'],
    ['no UTF-8', 'filename /w=='],
    ['megabytes', `a ${'YWFh'.repeat(1_000_000)}`],
  ])('cannot have metadata with %s', (_what, text) => {
    expect(() => new UploadMetadata(text)).toThrow();
  });

  it('are read in time that grows linearly', async () => {
    expect(
      await growthOfTime(
        3000,
        (count) => 'x,'.repeat(count),
        (text) => {
          expect(() => new UploadMetadata(text)).toThrow();
        },
      ),
    ).toBeLessThan(LINEAR);
  });

  it.each([`sha1 ${Buffer.alloc(20).toString('base64')}`, `sha256 ${Buffer.alloc(32).toString('base64')}`])(
    'may have the checksum %s',
    (text) => {
      expect(readChecksum({ 'upload-checksum': text })).toEqual({
        algorithm: text.split(' ')[0],
        digest: text.split(' ')[1],
      });
    },
  );

  it.each([
    'sha1',
    'sha1 ',
    'md4 AAAA',
    'sha1 AAAA',
    `sha256 ${Buffer.alloc(20).toString('base64')}`,
    'constructor AAAA',
  ])('cannot have the checksum %j', (text) => {
    expect(() => readChecksum({ 'upload-checksum': text })).toThrow();
  });
});
