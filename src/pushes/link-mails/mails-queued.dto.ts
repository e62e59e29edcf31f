/** The response to a request for mails. */
export class MailsQueuedDto {
  message: string;

  static create(): MailsQueuedDto {
    return { message: 'Recipient(s) are added to the queue to be sent.' };
  }
}
