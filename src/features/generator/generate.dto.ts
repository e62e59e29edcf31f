import { UnprocessableEntityException } from '@nestjs/common';
import { Problem } from '../../platform/errors/problem.js';
import { GeneratorProblem } from './generator.problems.js';
import { toBoolean, toInteger } from '../../platform/http/validation/validation.pipe.js';
import type { GeneratedType, WordLanguage } from '../../shared/generator.js';

/** Characters of a refused value in the message about it. */
const MAX_QUOTED = 50;

/** Random texts, which nobody has stored. */
export class GeneratedDto {
  type: GeneratedType;
  /** Of a passphrase. */
  language?: WordLanguage;
  /** How hard one of the results is to guess: the binary logarithm of how many there could be. */
  entropy_bits: number;
  results: string[];
}

export function refusal(problem: Problem): UnprocessableEntityException {
  return new UnprocessableEntityException(problem);
}

/** What a request has chosen, as JSON or the text of a form; null is absent. */
export class Choices {
  constructor(private readonly fields: Record<string, unknown>) {}

  integer(name: string, min: number, max: number, otherwise: number): number {
    const value = this.whole(name) ?? otherwise;
    if (value < min || value > max)
      throw refusal(new GeneratorProblem('generator_out_of_range', { name, min, max }));
    return value;
  }

  least(name: string, otherwise: number): number {
    const value = this.whole(name) ?? otherwise;
    if (value < 0) throw refusal(new GeneratorProblem('generator_negative', { name }));
    return value;
  }

  boolean(name: string, otherwise: boolean): boolean {
    const value = toBoolean(this.value(name)) ?? otherwise;
    if (typeof value !== 'boolean') throw refusal(new GeneratorProblem('generator_not_a_boolean', { name }));
    return value;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || !value.isWellFormed())
      throw refusal(new GeneratorProblem('generator_not_a_text', { name }));
    return value;
  }

  oneOf<T extends string>(
    name: string,
    all: readonly T[],
    otherwise: T,
    unknown: (text: string) => Error,
  ): T {
    const value = this.value(name) ?? otherwise;
    const found = all.find((one) => one === value);
    if (found === undefined) throw unknown(quoted(value));
    return found;
  }

  private whole(name: string): number | undefined {
    const value = toInteger(this.value(name));
    if (value !== undefined && !Number.isSafeInteger(value))
      throw refusal(new GeneratorProblem('generator_not_an_integer', { name }));
    return value as number | undefined;
  }

  private value(name: string): unknown {
    return Object.hasOwn(this.fields, name) ? (this.fields[name] ?? undefined) : undefined;
  }
}

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value).slice(0, MAX_QUOTED);
  return text.slice(0, MAX_QUOTED).toWellFormed();
}
