import { createHash } from 'node:crypto';
import {
  answerFragmentOf,
  isFragmentOf,
  parseAnswerFragment,
} from '../../packages/client/src/end-to-end/answer-link.js';
import { fragmentInPath, newFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { newRecipients } from '../support/age-recipients.js';

describe('The fragment of a link to answer a request', () => {
  let recipients: string[];
  let fragment: string;

  beforeAll(async () => {
    recipients = (await newRecipients()).map(([, recipient]) => recipient);
    fragment = await answerFragmentOf(recipients[0] ?? '');
  });

  it('is 1 and the digest of the recipient in base64url', async () => {
    for (const recipient of recipients) {
      const digest = createHash('sha256').update(recipient).digest('base64url');

      expect(await answerFragmentOf(recipient)).toBe(`1${digest}`);
    }
    expect(await answerFragmentOf('age1tulip')).toBe('1_JFvoysUCrn0DSSECSKxhNapt5gkIz3Km2FmHnWjEzA');
  });

  it('belongs to this recipient only', async () => {
    expect(await Promise.all(recipients.map((recipient) => isFragmentOf(fragment, recipient)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await isFragmentOf(fragment, `${recipients[0]} `)).toBe(false);
    expect(await isFragmentOf('', recipients[0] ?? '')).toBe(false);
  });

  it('is found with and without #, and in a path where a mail gateway has put it', () => {
    expect(parseAnswerFragment(fragment)).toBe(fragment);
    expect(parseAnswerFragment(`#${fragment}`)).toBe(fragment);
    expect(fragmentInPath(`/requests/T%23${fragment}`)).toEqual({ path: '/requests/T', fragment });
  });

  it('is not accepted when it was cut or altered, or is one of a push with a passphrase', () => {
    for (let i = 0; i < fragment.length; i++) {
      expect(parseAnswerFragment(fragment.slice(0, i))).toBeUndefined();
      expect(parseAnswerFragment(`${fragment.slice(0, i)}%${fragment.slice(i + 1)}`)).toBeUndefined();
    }
    const last = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    const accepted = last.filter((character) => parseAnswerFragment(fragment.slice(0, -1) + character));
    expect(accepted.join('')).toBe('AEIMQUYcgkosw048');
    for (const wrong of [
      `${fragment}=`,
      `##${fragment}`,
      ` ${fragment}`,
      newFragment({ needsPassphrase: true }).text,
    ])
      expect(parseAnswerFragment(wrong)).toBeUndefined();
  });
});
