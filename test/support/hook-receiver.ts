import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { WebhooksService } from '../../src/features/webhooks/webhooks.service.js';
import type { WebhookEvent } from '../../src/features/webhooks/webhook-events.js';
import { WEBHOOK_EVENTS } from '../../src/features/webhooks/webhook-events.js';
import type { RunningApp } from './start-app.js';

export interface ReceivedHook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server on loopback that webhooks are sent to. */
export interface HookReceiver {
  url: string;
  received: ReceivedHook[];
  /** The bodies, after the signature was verified. */
  verified(secret: string): { type: string; timestamp: string; data: Record<string, unknown> }[];
  /** How it answers; 204 at first. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** Settings with which webhooks are sent to receivers on loopback. */
export const LOOPBACK_ALLOWED = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

export async function startHookReceiver(): Promise<HookReceiver> {
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => {
        receiver.received.push({ path: request.url ?? '', headers: request.headers, body });
        receiver.answer(request, response);
      })
      .catch(() => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const receiver: HookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    verified: (secret) =>
      receiver.received.map(
        ({ headers, body }) =>
          new Webhook(secret).verify(body, headers as Record<string, string>) as ReturnType<
            HookReceiver['verified']
          >[number],
      ),
    answer: (_request, response) => response.writeHead(204).end(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Adds a webhook of an account, or with null of the instance; returns its secret. */
export async function addWebhook(
  { app }: RunningApp,
  owner: string | null,
  url: string,
  events: readonly WebhookEvent[] = WEBHOOK_EVENTS,
): Promise<string> {
  return (await app.get(WebhooksService).add(owner, { url, events: [...events] })) ?? '';
}
