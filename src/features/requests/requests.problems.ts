import { declareProblems } from '../../platform/errors/problem.js';

/** Why a request, or an answer to one, is refused. */
export const SecretRequestProblem = declareProblems({
  request_not_yours: ['Only the owner may do this with a request.', null],
  request_closed: ['This request is closed. It takes no more answers.', 'formError.requestClosed', 'form'],
  request_passphrase_needed: [
    'This request needs its passphrase.',
    'formError.passphraseNeeded',
    'passphrase',
  ],
  too_many_open_requests: [
    ({ count }: { count: number }) => `At most ${count} requests can be open. Close one first.`,
    'formError.tooManyOpenRequests',
  ],
  files_not_wanted: ['cannot be attached to an answer to this request', 'formError.filesNotWanted'],
  request_files_too_large: [
    ({ bytes }: { bytes: number }) => `must have at most ${bytes} bytes in all answers to this request`,
    'formError.requestFilesTooLarge',
  ],
  too_many_answers: [
    'Too many answers from your network. Try again in a minute.',
    'formError.tooManyRequests',
  ],
});
