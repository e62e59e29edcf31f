import { InvalidArgumentError } from 'commander';

/** Reads the value of an option that is a whole number from 1 on. */
export function wholeNumber(name: string): (text: string) => number {
  return (text) => {
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new InvalidArgumentError(`${name} must be a whole number from 1 on.`);
    return Number(text);
  };
}
