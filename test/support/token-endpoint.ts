import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT_ID = 'sealpush';
export const CLIENT_SECRET = 'geheim+client/secret';
export const SCOPE = 'https://mail.example.org/.default';

/** A token endpoint of OAuth 2.0 on loopback, which gives a new token for each valid request. */
export interface TokenEndpoint {
  url: string;
  /** The settings of an instance that gets its tokens there. */
  env: Record<string, string>;
  /** The parameters of the requests that it has got. */
  requests: Record<string, string>[];
  /** The tokens that it has given. */
  given: string[];
  stop(): Promise<void>;
}

interface Behaviour {
  /** Seconds that it says a token lasts; undefined says nothing. */
  expiresIn?: unknown;
  /** Responds in place of it. */
  respond?: (response: ServerResponse) => void;
  /** What is wrong with a request. */
  refusal?: (parameters: Record<string, string>) => object | undefined;
  port?: number;
}

const wrongClient = ({ grant_type, client_id, client_secret, scope }: Record<string, string>) =>
  grant_type === 'client_credentials' &&
  client_id === CLIENT_ID &&
  client_secret === CLIENT_SECRET &&
  scope === SCOPE
    ? undefined
    : {
        error: 'invalid_client',
        error_description: `AADSTS7000215: Invalid client secret provided.\r\nNot ${client_secret}`,
      };

export async function startTokenEndpoint({
  expiresIn,
  respond,
  refusal = wrongClient,
  port = 0,
}: Behaviour = {}): Promise<TokenEndpoint> {
  const requests: Record<string, string>[] = [];
  const given: string[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const parameters = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      requests.push(parameters);
      if (respond) {
        respond(response);
        return;
      }
      const refused = refusal(parameters);
      const token = `token-${given.length + 1}.${'geheim'.repeat(20)}`;
      if (!refused) given.push(token);
      response.writeHead(refused ? 401 : 200, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify(refused ?? { access_token: token, token_type: 'Bearer', expires_in: expiresIn }),
      );
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth2/token`;
  return {
    url,
    env: {
      MAIL_OAUTH_TOKEN_URL: url,
      MAIL_OAUTH_CLIENT_ID: CLIENT_ID,
      MAIL_OAUTH_CLIENT_SECRET: CLIENT_SECRET,
      MAIL_OAUTH_SCOPE: SCOPE,
    },
    requests,
    given,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
