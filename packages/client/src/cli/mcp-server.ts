import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { OwnPush, SealpushClient } from '../client.js';
import { SealpushError } from '../errors.js';
import { parsePushLink, parseRequestLink } from '../link.js';
import type { Context } from './context.js';
import { durationOf, lifetimeOf } from './lifetime.js';
import type { Permission } from './mcp.js';
import { askAndKeepKey, MAX_TEXT } from './sending.js';

const PAGE = 50;
/** Of each list that is searched for a push. */
const MAX_PAGES = 10;
/** Of a result, whatever the server sends. */
const MAX_TEXT_CHARACTERS = 20_000;
const MAX_STRING_CHARACTERS = 2000;

const INSTRUCTIONS =
  'Sends secrets by links, and tells what became of them. Nothing here shows the secret of a link or an answer: give ' +
  'links to people, who open them themselves. A push is a secret with its limits; a request asks a person for a secret.';

const READS = { readOnlyHint: true, openWorldHint: false };
const CREATES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const ENDS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

const WHICH = z.string().max(2000).describe('a link to a push or to a request, or the URL token of a push');

/**
 * Serves tools on stdin and stdout until stdin ends. All requests go to the installation of the context, also if a program
 * gives links to others.
 */
export async function serve(
  context: Context,
  allowed: ReadonlySet<Permission>,
  version: string,
): Promise<void> {
  const baseUrl = await context.server();
  const token = await context.token(baseUrl);
  const client = await context.client();
  const server = new McpServer({ name: 'sealpush', version }, { instructions: INSTRUCTIONS });
  const answer = (action: () => Promise<Answer>) => resultOf(action, token);

  server.registerTool(
    'list',
    {
      description: 'Lists pushes of the account, newest first: their URL tokens, limits and labels.',
      inputSchema: {
        ended: z.boolean().optional().describe('those that have ended; otherwise those that are open'),
        page: z.int().min(1).max(1_000_000).optional().describe(`the page, of ${PAGE}; 1 if left out`),
      },
      outputSchema: { pushes: z.array(z.object(PUSH)) },
      annotations: READS,
    },
    ({ ended = false, page = 1 }) =>
      answer(async () => {
        const pushes = (await client.list(ended ? 'expired' : 'active', page)).slice(0, PAGE).map(shownOf);
        const lines = pushes.map(lineOf);
        const text = lines.length === 0 ? 'There are no such pushes.' : lines.join('\n');
        return { text, content: { pushes } };
      }),
  );

  server.registerTool(
    'status',
    {
      description: 'Tells whether a push or a request is open, without opening it: no view is counted.',
      inputSchema: { which: WHICH },
      outputSchema: STATUS,
      annotations: READS,
    },
    ({ which }) => answer(() => statusOf(client, baseUrl, which)),
  );

  if (allowed.has('push'))
    server.registerTool(
      'push',
      {
        description: 'Sends a text of yours, encrypted end to end, and returns the link that opens it.',
        inputSchema: {
          text: z.string().min(1).max(MAX_TEXT).describe('the secret'),
          views: z.int().min(1).optional().describe('how often it can be opened'),
          for: z
            .string()
            .optional()
            .describe('how long it can be opened: 15m, 30m, 45m, 1h, 6h, 12h, or 1d to 90d'),
          name: z.string().optional().describe('a label for its owner, which the server can read'),
        },
        outputSchema: {
          link: z.string(),
          url_token: z.string(),
          expires_at: z.string(),
          views_remaining: z.int(),
        },
        annotations: CREATES,
      },
      ({ text, views, for: lifetime, name }) =>
        answer(async () => {
          const { link, urlToken, expiresAt, viewsRemaining } = await client.push({
            text,
            name,
            expireAfterViews: views,
            ...(lifetime !== undefined && lifetimeOf(lifetime, 'for')),
          });
          return {
            text: `${link}\nIt can be opened ${times(viewsRemaining)}, until ${expiresAt}.`,
            content: { link, url_token: urlToken, expires_at: expiresAt, views_remaining: viewsRemaining },
          };
        }),
    );

  if (allowed.has('ask'))
    server.registerTool(
      'ask',
      {
        description:
          'Asks a person for a secret, and returns the link to answer. The key that opens the answers stays on this ' +
          'machine: its user reads them with the command "sealpush answers".',
        inputSchema: {
          what: z.string().min(1).describe('what is asked, which the server can read'),
          answers: z.int().min(1).optional().describe('how many answers it takes; one if left out'),
          for: z
            .string()
            .optional()
            .describe(
              'how long it can be answered: 15m, 30m, 45m, 1h, 6h, 12h, 1d to 7d, 14d, 21d, 30d, 60d, 90d',
            ),
          name: z.string().optional().describe('a label for its owner'),
        },
        outputSchema: { link: z.string(), url_token: z.string(), closes_at: z.string() },
        annotations: CREATES,
      },
      ({ what, answers, for: lifetime, name }) =>
        answer(async () => {
          const { link, urlToken, closesAt } = await askAndKeepKey(context, client, {
            request: what,
            answers,
            name,
            closeAfterDuration: lifetime === undefined ? undefined : durationOf(lifetime, 'for'),
          });
          return {
            text: `${link}\nIt can be answered until ${closesAt}. "sealpush answers ${urlToken}" shows the answers.`,
            content: { link, url_token: urlToken, closes_at: closesAt },
          };
        }),
    );

  if (allowed.has('expire'))
    server.registerTool(
      'expire',
      {
        description: 'Ends a push of the account, or closes a request of it, now and for ever.',
        inputSchema: { which: WHICH },
        outputSchema: { kind: z.enum(['push', 'request']), state: z.literal('ended') },
        annotations: ENDS,
      },
      ({ which }) =>
        answer(async () => {
          const { kind, urlToken } = parsed(which);
          if (kind === 'request') await client.closeRequest(urlToken);
          else await client.expire(urlToken);
          return { text: `The ${kind} has ended.`, content: { kind, state: 'ended' } };
        }),
    );

  await server.connect(new StdioServerTransport());
}

/** What a program gets of a push. Notes and recipients are for people. */
const PUSH = {
  url_token: z.string(),
  kind: z.string(),
  state: z.enum(['open', 'ended']),
  views_remaining: z.int(),
  expires_at: z.string(),
  name: z.string(),
};

type ShownPush = z.infer<z.ZodObject<typeof PUSH>>;

function shownOf({ url_token, kind, expired, views_remaining, expires_at, name }: OwnPush): ShownPush {
  return { url_token, kind, state: expired ? 'ended' : 'open', views_remaining, expires_at, name };
}

function lineOf({ url_token, kind, state, views_remaining, expires_at, name }: ShownPush): string {
  const parts = [url_token, kind, state, `${views_remaining} views remain`, `until ${expires_at}`, name];
  return parts.filter((part) => part !== '').join(', ');
}

const STATUS = {
  kind: z.enum(['push', 'request']),
  state: z.enum(['open', 'ended', 'unknown']),
  end_to_end: z.boolean().optional().describe('whether the server cannot read it'),
  views_remaining: z.int().optional(),
  expires_at: z.string().optional(),
  answers: z.int().optional().describe('how many have come'),
};

async function statusOf(client: SealpushClient, baseUrl: string, which: string): Promise<Answer> {
  const { kind, urlToken } = parsed(which);
  if (kind === 'request') {
    const { state, answersCame } = await client.requestState(urlToken);
    return {
      text: `The request is ${state}, and has ${answersCame} answers.`,
      content: { kind, state: state === 'open' ? 'open' : 'ended', answers: answersCame },
    };
  }
  const { isEncrypted } = await client.preview(`${baseUrl}/p/${urlToken}`);
  const found = (await findIn(client, 'active', urlToken)) ?? (await findIn(client, 'expired', urlToken));
  const content = { kind, end_to_end: isEncrypted };
  if (!found)
    return {
      text: `The push exists. Its state is known only if it is one of the newest ${MAX_PAGES * PAGE} of your account.`,
      content: { ...content, state: 'unknown' },
    };
  const { state, views_remaining, expires_at } = shownOf(found);
  const text =
    state === 'ended'
      ? 'The push has ended.'
      : `The push can be opened ${times(views_remaining)}, until ${expires_at}.`;
  return { text, content: { ...content, state, views_remaining, expires_at } };
}

async function findIn(
  client: SealpushClient,
  list: 'active' | 'expired',
  urlToken: string,
): Promise<OwnPush | undefined> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const pushes = await client.list(list, page);
    const found = pushes.find(({ url_token }) => url_token === urlToken);
    if (found || pushes.length < PAGE) return found;
  }
  return undefined;
}

/** The installation of a link does not count: no program chooses where requests go. */
function parsed(which: string): { kind: 'push' | 'request'; urlToken: string } {
  const text = which.trim();
  if (/^https?:\/\/[^?#]*\/requests\//i.test(text))
    return { kind: 'request', urlToken: parseRequestLink(text).urlToken };
  if (/^https?:/i.test(text)) return { kind: 'push', urlToken: parsePushLink(text).urlToken };
  if (/^[\w-]{5,255}$/.test(text)) return { kind: 'push', urlToken: text };
  throw new SealpushError('invalid_link', 'This is neither a link nor a URL token.');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** What a tool returns: the same as a text for models and as data for programs. */
interface Answer {
  text: string;
  content: Record<string, unknown>;
}

/** An error is a result too, so that the program can read it. What the server has said may be anything, even the token. */
async function resultOf(action: () => Promise<Answer>, token: string | undefined): Promise<CallToolResult> {
  const cleaned = (text: string, max = MAX_STRING_CHARACTERS) =>
    withoutControls(withoutToken(text, token)).slice(0, max);
  try {
    const { text, content } = await action();
    return {
      content: [{ type: 'text', text: cleaned(text, MAX_TEXT_CHARACTERS) }],
      structuredContent: JSON.parse(JSON.stringify(content), (_key, value: unknown) =>
        typeof value === 'string' ? cleaned(value) : value,
      ) as Record<string, unknown>,
    };
  } catch (error) {
    return { content: [{ type: 'text', text: cleaned((error as Error).message) }], isError: true };
  }
}

function withoutToken(text: string, token: string | undefined): string {
  return token === undefined || token === '' ? text : text.replaceAll(token, '[the API token]');
}

function withoutControls(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' ');
}
