import type { ProblemCode, ProblemValues } from './problem-texts.js';

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
