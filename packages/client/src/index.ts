/** Sends and opens secrets by the API of Sealpush, encrypted end to end. See docs/library.md. */
export type { AuditEntry, Generated, NewSecrets, OwnPush, Preview, Push, Version } from './client.js';
export { SealpushClient } from './client.js';
export type { ErrorCode, FieldErrors } from './errors.js';
export { NetworkError, ResponseError, SealpushError } from './errors.js';
export type { PushLink, RequestLink } from './link.js';
export { parsePushLink, parseRequestLink } from './link.js';
export type { NewPush, PushResult, Secret, SendOptions } from './new-push.js';
export type { OpenedFile, OpenedPush, OpenOptions } from './opened-push.js';
export type {
  AnswerResult,
  AnswersOptions,
  NewAnswer,
  NewRequest,
  OpenedAnswer,
  RequestDetails,
  RequestResult,
} from './requests.js';
export type { ServerOptions } from './server.js';
