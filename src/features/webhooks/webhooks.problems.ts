import { declareProblems } from '../../platform/errors/problem.js';

/** Why a webhook is refused. */
export const WebhookProblem = declareProblems({
  not_an_https_address: ['must be an absolute https address', 'formError.httpsAddress'],
  user_in_address: ['must not have a user name or a password before the host', 'formError.userInAddress'],
  address_not_public: ['is not a public address', 'formError.privateAddress'],
  event_needed: ['Choose at least one event.', 'formError.eventNeeded'],
  too_many_webhooks: [
    ({ count }: { count: number }) => `At most ${count} webhooks can be added.`,
    'formError.tooManyWebhooks',
  ],
  no_more_webhooks: ['No more webhooks can be added to this installation.', 'formError.noMoreWebhooks'],
});
