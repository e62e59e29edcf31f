/** A string of JSON that is too long for a text, such as the content of a file in base64. */
export class LongText {
  constructor(readonly pieces: readonly string[]) {}
}
