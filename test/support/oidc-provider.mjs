// A certified provider of OpenID Connect in a process of its own, for tests in the browser: whoever signs in there as
// NAME has the email address NAME@example.org. Its own pages ask for a name, any password, and consent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { CLIENT_ID, CLIENT_SECRET, SITE } = process.env;
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [`${SITE}/users/sign_in/provider/callback`],
      post_logout_redirect_uris: [`${SITE}/users/sign_in`],
      backchannel_logout_uri: `${SITE}/users/sign_in/provider/logout`,
      backchannel_logout_session_required: true,
    },
  ],
  claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified'], profile: ['groups'] },
  conformIdTokenClaims: false,
  features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  findAccount: (_context, name) => ({
    accountId: name,
    claims: () => ({ sub: name, email: `${name}@example.org`, email_verified: true, groups: ['staff'] }),
  }),
  // its own one calls no address of this machine
  fetch: (url, { dispatcher, ...options }) => fetch(url, options),
  cookies: { keys: ['not secret: for tests'] },
});
provider.on('server_error', (_context, error) => console.error(error));
server.on('request', provider.callback());
process.stdout.write(`${issuer}\n`);
