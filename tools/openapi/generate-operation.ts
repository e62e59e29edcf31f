import { CHARSETS } from '../../src/shared/charsets.js';
import { GENERATED_TYPES, WORD_LANGUAGES } from '../../src/shared/generator.js';
import { body } from './bodies.js';
import type { OperationFacts } from './operation.js';
import { ref } from './references.js';
import { answer } from './responses.js';
import { flag, text, whole } from './value-types.js';

const oneOf = (values: readonly string[], description: string) => ({
  type: 'string',
  enum: values,
  description,
});

/** The schema of what a request chooses. What it leaves out is as the settings say. */
export const GENERATION = {
  NewSecrets: {
    type: 'object',
    properties: {
      type: oneOf(GENERATED_TYPES, 'What is generated'),
      count: whole(1, 10, 'How many results; 1 by default'),
      length: whole(4, 128, 'Characters of a password; digits of a PIN, at most 12'),
      uppercase: flag('Whether a password has uppercase letters'),
      lowercase: flag('Whether a password has lowercase letters'),
      digits: flag('Whether a password has digits'),
      symbols: flag('Whether a password has symbols'),
      avoid_ambiguous: flag('Whether a password is without `I l 1 O 0 o`'),
      min_digits: whole(0, 128, 'How many digits a password has at least; 1 by default'),
      min_symbols: whole(0, 128, 'How many symbols a password has at least; 1 by default'),
      charset: {
        type: 'string',
        description: `The letters of a password: ${CHARSETS.join(', ')}. Any other text is the characters of which it is made, in place of all classes`,
      },
      language: oneOf(WORD_LANGUAGES, 'The language of the words of a passphrase'),
      word_count: whole(3, 10, 'Words of a passphrase'),
      separator: text('What stands between the words of a passphrase', 8),
      capitalize: flag('Whether each word begins with an uppercase letter'),
      number: flag('Whether a passphrase has two digits at its end'),
      symbol: flag('Whether a passphrase has a symbol at its end'),
    },
  },
};

const example = { type: 'passphrase', word_count: 5, language: 'en' };

export const GENERATE_OPERATION: Record<string, OperationFacts> = {
  'post /api/v2/generate': {
    id: 'generate',
    tag: 'generator',
    token: 'optional',
    description:
      'Stores and logs nothing. The fields are those of the body or of an object `generate` in it. 30 requests a minute are allowed for an account or an address.',
    requestBody: {
      ...body({ schema: ref('NewSecrets'), example }, { schema: ref('NewSecrets'), example }),
      required: false,
    },
    success: {
      200: answer('What was generated', ref('GeneratedDto'), {
        type: 'passphrase',
        language: 'en',
        entropy_bits: 64.6,
        results: ['mural-jogger-unwind-recall-trodden'],
      }),
      422: answer('A field is not acceptable', ref('Error'), {
        error: 'length must be between 4 and 128.',
      }),
    },
    refusals: [400, 401, 403, 408, 413, 415, 503], // the database is needed for a token alone
    neverFails: true,
  },
};
