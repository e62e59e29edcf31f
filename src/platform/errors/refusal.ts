/** Why something is not done, in a sentence for whoever asked for it. Commands print it without a stack trace. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}
