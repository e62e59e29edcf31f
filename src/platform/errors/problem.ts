import type { HttpException } from '@nestjs/common';
import type { TextKey } from '../../texts/text-parameters.js';
import type { ApiText, ProblemCode, ProblemValues } from './problem-texts.js';
import { PROBLEM_TEXTS } from './problem-texts.js';

/**
 * Why a request, or a part of it, is rejected: a code and its parameters. What users read is in problem-texts.ts. It is
 * the response of an HttpException or a part of it, and what rules return.
 */
export class Problem<Code extends ProblemCode = ProblemCode> {
  readonly values: ProblemValues<Code>;

  constructor(
    readonly code: Code,
    ...[values]: undefined extends ProblemValues<Code> ? [] : [ProblemValues<Code>]
  ) {
    this.values = values as ProblemValues<Code>;
  }

  /** The message of an exception that has it as its response. */
  get message(): string {
    return this.code;
  }
}

/** The message of a problem in the API (docs/api.md, Errors). */
export function apiText({ code, values }: Problem): string {
  const text: ApiText = PROBLEM_TEXTS[code][0];
  return typeof text === 'string' ? text : text(values as never);
}

/** The key of its text in the pages. */
export function pageTextKey({ code }: Problem): TextKey | null {
  return PROBLEM_TEXTS[code][1];
}

/** The problem that an exception is about; its message when that is only text, as of an added module. */
export function problemOf(exception: HttpException): Problem | string {
  const response = exception.getResponse();
  if (response instanceof Problem) return response;
  const { error } = response as { error?: unknown };
  return error instanceof Problem ? error : exception.message;
}
