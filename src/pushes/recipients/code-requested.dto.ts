/** The response to whoever asks for a code, named or not. */
export class CodeRequestedDto {
  message: string;

  static create(): CodeRequestedDto {
    return { message: 'If the email address is named, a code that is valid for 10 minutes is sent to it.' };
  }
}
