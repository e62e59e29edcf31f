import type { HttpException } from '@nestjs/common';
import type { TextKey } from '../../texts/text-parameters.js';
import type { ApiText, CoreTexts, ProblemTexts } from './problem-texts.js';
import { PROBLEM_TEXTS } from './problem-texts.js';

/** The parameters of a problem with this message, as a constructor gets them. */
type ValuesFor<Text> = Text extends (values: infer Values) => string ? [Values] : [];

/** Makes problems with the codes of one table. */
type ProblemsOf<Texts extends ProblemTexts> = new <Code extends keyof Texts & string>(
  code: Code,
  ...values: ValuesFor<Texts[Code][0]>
) => Problem;

class AnyProblem {
  constructor(
    readonly code: string,
    readonly values?: object,
  ) {}

  /** The message of an exception that has it as its response. */
  get message(): string {
    return this.code;
  }
}

/**
 * Why a request, or a part of it, is rejected: a code and its parameters. What users read is in problem-texts.ts, and for
 * those of a feature where it declares them. It is the response of an HttpException or a part of it, and what rules return.
 */
export type Problem = AnyProblem;
export const Problem = AnyProblem as ProblemsOf<CoreTexts>;

/** Of features, by code. */
const declared = new Map<string, ProblemTexts[string]>();

/**
 * Declares problems of a feature: `new` of what it returns makes them, with the codes and parameters of this table only.
 * @throws Error when a code is declared already
 */
export function declareProblems<const Texts extends ProblemTexts>(texts: Texts): ProblemsOf<Texts> {
  for (const [code, text] of Object.entries(texts)) {
    if (textsOf(code)) throw new Error(`The problem ${code} is declared twice.`);
    declared.set(code, text);
  }
  return AnyProblem;
}

/** The codes of all problems that are declared by the files that are loaded. */
export function problemCodes(): string[] {
  return [...Object.keys(PROBLEM_TEXTS), ...declared.keys()];
}

function textsOf(code: string): ProblemTexts[string] | undefined {
  return (PROBLEM_TEXTS as ProblemTexts)[code] ?? declared.get(code);
}

/** The message of a problem in the API (docs/api.md, Errors). */
export function apiText({ code, values }: Problem): string {
  const text: ApiText | undefined = textsOf(code)?.[0];
  return typeof text === 'function' ? text(values as never) : (text ?? code);
}

/** The key of its text in the pages. */
export function pageTextKey({ code }: Problem): TextKey | null {
  return textsOf(code)?.[1] ?? null;
}

/** The field of forms that it is about; undefined if that depends on the form. */
export function fieldOf(problem: Problem | string): string | undefined {
  return typeof problem === 'string' ? undefined : textsOf(problem.code)?.[2];
}

/** The problem that an exception is about; its message when that is only text, as of an added module. */
export function problemOf(exception: HttpException): Problem | string {
  const response = exception.getResponse();
  if (response instanceof Problem) return response;
  const { error } = response as { error?: unknown };
  return error instanceof Problem ? error : exception.message;
}
