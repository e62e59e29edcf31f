import { declareProblems } from '../../platform/errors/problem.js';

interface Named {
  name: string;
}

/** Why nothing is generated. The pages generate in the browser, so these have no text there. */
export const GeneratorProblem = declareProblems({
  generator_type_unknown: [({ type }: { type: string }) => `Unknown generator type: ${type}`, null],
  generator_language_unknown: [
    ({ language }: { language: string }) => `Unsupported language: ${language}`,
    null,
  ],
  generator_out_of_range: [
    ({ name, min, max }: Named & { min: number; max: number }) =>
      `${name} must be between ${min} and ${max}.`,
    null,
  ],
  generator_not_an_integer: [({ name }: Named) => `${name} must be an integer.`, null],
  generator_negative: [({ name }: Named) => `${name} must be zero or greater.`, null],
  generator_not_a_boolean: [({ name }: Named) => `${name} must be true or false.`, null],
  generator_not_a_text: [({ name }: Named) => `${name} must be text.`, null],
  generator_separator_too_long: ['Separator is too long.', null],
  generator_no_characters: ['Character set is empty.', null],
  generator_no_class: ['Select at least one character class.', null],
  generator_too_short: ['Password length is too short for the selected character rules.', null],
  too_many_generated: ['Too many generation requests. Please try again in a minute.', null],
});
