import { PushEvent } from '../../pushes/push/push-events.js';
import type { Push } from '../../pushes/push/push.entity.js';
import type { SecretRequest } from './secret-request.entity.js';

/** A request was answered: the push is the answer, which its `PushCreated` has reported before. */
export class RequestAnswered extends PushEvent {
  static readonly eventName = 'request.answered';
  override readonly name = RequestAnswered.eventName;
  readonly requestId: string;
  /** The SHA-256 digest of the url_token of the request, in hex. */
  readonly requestDigest: string;
  readonly answersRemaining: number;

  constructor(push: Pick<Push, 'id' | 'kind' | 'userId'>, at: Date, request: SecretRequest) {
    super(push, at);
    this.requestId = request.id;
    this.requestDigest = request.tokenDigest;
    this.answersRemaining = request.answersRemaining();
  }
}
