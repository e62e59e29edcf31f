import { ageFile } from '../../test/support/age-files.js';
import { beginsWithAgeHeader } from './age-header.js';

const SALT = 'BGr8AyURFNLy56eHXmWDlA';
const KEY = 'XU9cdK8RaOPpF+u5YIMxML1m4BTUZF0G/8brbpG4dc8';
const MAC = 'gRtD/1x1BezKK+nJTdKGJK8TgHVYgAHGIDevulOJJ/I';
const HEADER = `age-encryption.org/v1\n-> scrypt ${SALT} 18\n${KEY}\n--- ${MAC}\n`;

const begins = (header: string) => beginsWithAgeHeader(Buffer.from(header));

describe('The header of an age file', () => {
  it('has one scrypt stanza, whatever follows it', () => {
    expect(begins(HEADER)).toBe(true);
    expect(beginsWithAgeHeader(ageFile(100_000))).toBe(true);
  });

  it('has a work factor of at most 20', () => {
    const ofWorkFactor = (workFactor: string) => beginsWithAgeHeader(ageFile(0, workFactor));

    expect(['1', '10', '18', '20'].map(ofWorkFactor)).toEqual([true, true, true, true]);
    for (const workFactor of [
      '21',
      '22',
      '64',
      '99',
      '100',
      '018',
      '0',
      '',
      '-1',
      '+18',
      '1e1',
      ' 18',
      '18 ',
      '１８',
    ])
      expect([workFactor, ofWorkFactor(workFactor)]).toEqual([workFactor, false]);
  });

  it.each([
    ['is absent', 'correct horse'],
    ['is empty', ''],
    ['does not come first', `\n${HEADER}`],
    ['is of another version', HEADER.replace('v1', 'v2')],
    ['is of another spelling', HEADER.replace('age-', 'Age-')],
    ['has CRLF', HEADER.replaceAll('\n', '\r\n')],
    ['has no stanza', HEADER.replace(/->.*\n.*\n/, '')],
    ['has another stanza', HEADER.replace(`scrypt ${SALT} 18`, `X25519 ${KEY}`)],
    ['has a second scrypt stanza', HEADER.replace('---', `-> scrypt ${SALT} 18\n${KEY}\n---`)],
    ['has another stanza before', HEADER.replace('->', `-> X25519 ${KEY}\n${KEY}\n->`)],
    ['has another stanza after', HEADER.replace('---', `-> abc-grease\n\n---`)],
    ['has one more argument', HEADER.replace(' 18\n', ' 18 1\n')],
    ['has one argument less', HEADER.replace(' 18\n', '\n')],
    ['has a salt of 15 bytes', HEADER.replace(SALT, 'BGr8AyURFNLy56eHXmWD')],
    ['has a salt of 17 bytes', HEADER.replace(SALT, 'BGr8AyURFNLy56eHXmWDlAA')],
    ['has a salt that is not canonical', HEADER.replace(SALT, 'BGr8AyURFNLy56eHXmWDlB')],
    ['has padding', HEADER.replace(SALT, `${SALT}==`)],
    ['has base64url', HEADER.replace(KEY, KEY.replace('+', '-'))],
    ['has a body of 31 bytes', HEADER.replace(KEY, KEY.slice(0, 42))],
    ['has a body of two lines', HEADER.replace(KEY, `${KEY}\n${KEY}`)],
    ['has a body that is not canonical', HEADER.replace(KEY, `${KEY.slice(0, 42)}9`)],
    ['has no MAC', HEADER.replace(MAC, '')],
    ['has a short MAC', HEADER.replace(MAC, MAC.slice(1))],
    ['does not end', HEADER.slice(0, -1)],
  ])('is not accepted when it %s', (_what, header) => {
    expect(begins(header)).toBe(false);
  });
});
