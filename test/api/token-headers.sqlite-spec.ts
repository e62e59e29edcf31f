import { API_VERSIONS } from '../support/api-versions.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import type { TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

/** The result of authentication: the account, an anonymous visitor, or a rejected request. */
type Outcome = 'owner' | 'nobody' | 'refused';

interface Row {
  name: string;
  headers: (owner: TestUser) => string[];
  outcome: Outcome;
}

const ROWS: Row[] = [
  { name: 'no credentials', headers: () => [], outcome: 'nobody' },
  { name: 'a Bearer token', headers: ({ token }) => [`Authorization: Bearer ${token}`], outcome: 'owner' },
  { name: 'a Token token', headers: ({ token }) => [`Authorization: Token ${token}`], outcome: 'owner' },
  { name: 'a bare token', headers: ({ token }) => [`Authorization: ${token}`], outcome: 'owner' },
  {
    name: 'odd case and spaces',
    headers: ({ token }) => [`aUTHORIZATION:\tBEARER   ${token}  `],
    outcome: 'owner',
  },
  {
    name: 'the pair',
    headers: ({ token, email }) => [`X-User-Email: ${email}`, `X-User-Token: ${token}`],
    outcome: 'owner',
  },
  {
    name: 'both forms, as the command-line client sends them',
    headers: ({ token, email }) => [
      `Authorization: Bearer ${token}`,
      `X-User-Email: ${email}`,
      `X-User-Token: ${token}`,
    ],
    outcome: 'owner',
  },
  {
    name: 'a right pair together with a wrong Authorization',
    headers: ({ token, email }) => [
      'Authorization: Bearer wrong',
      `X-User-Token: ${token}`,
      `X-User-Email: ${email}`,
    ],
    outcome: 'owner',
  },
  {
    name: 'a right pair together with the Basic of a proxy',
    headers: ({ token, email }) => [
      'Authorization: Basic dTpw',
      `X-User-Token: ${token}`,
      `X-User-Email: ${email}`,
    ],
    outcome: 'owner',
  },
  {
    name: 'an email address in another case, with spaces around it',
    headers: ({ token, email }) => [`x-user-email:   ${email.toUpperCase()}  `, `x-user-token: ${token}`],
    outcome: 'owner',
  },
  {
    name: 'a wrong pair together with a right Authorization',
    headers: ({ token, email }) => [
      `Authorization: Bearer ${token}`,
      `X-User-Email: ${email}`,
      'X-User-Token: wrong',
    ],
    outcome: 'refused',
  },
  {
    name: "another's email address",
    headers: ({ token }) => ['X-User-Email: mallory@example.org', `X-User-Token: ${token}`],
    outcome: 'owner',
  },
  {
    name: 'an empty email address',
    headers: ({ token }) => ['X-User-Email:', `X-User-Token: ${token}`],
    outcome: 'owner',
  },
  {
    name: 'what is no email address',
    headers: ({ token }) => ['X-User-Email: 17 <none>', `X-User-Token: ${token}`],
    outcome: 'owner',
  },
  {
    name: 'two email addresses',
    headers: ({ token, email }) => [
      `X-User-Email: ${email}`,
      'X-User-Email: mallory@example.org',
      `X-User-Token: ${token}`,
    ],
    outcome: 'owner',
  },
  {
    name: "another's email address together with a wrong token",
    headers: () => ['X-User-Email: mallory@example.org', 'X-User-Token: wrong'],
    outcome: 'refused',
  },
  {
    name: 'an empty token together with an email address',
    headers: ({ email }) => [`X-User-Email: ${email}`, 'X-User-Token:'],
    outcome: 'refused',
  },
  { name: 'an email address alone', headers: ({ email }) => [`X-User-Email: ${email}`], outcome: 'nobody' },
  { name: 'a token alone', headers: ({ token }) => [`X-User-Token: ${token}`], outcome: 'nobody' },
  {
    name: 'a wrong Bearer together with half of a pair',
    headers: ({ token }) => [`X-User-Token: ${token}`, 'Authorization: Bearer wrong'],
    outcome: 'refused',
  },
  {
    name: 'the token as Basic',
    headers: ({ token, email }) => [
      `Authorization: Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`,
    ],
    outcome: 'nobody',
  },
  {
    name: 'another scheme',
    headers: ({ token }) => [`Authorization: Digest username="${token}"`],
    outcome: 'nobody',
  },
  { name: 'an empty Authorization', headers: () => ['Authorization:'], outcome: 'nobody' },
  { name: 'an empty Bearer', headers: () => ['Authorization: Bearer '], outcome: 'refused' },
  { name: 'an empty Token', headers: () => ['Authorization: Token'], outcome: 'refused' },
  { name: 'a wrong bare token', headers: () => ['Authorization: wrong'], outcome: 'refused' },
  {
    name: 'a token in a cookie',
    headers: ({ token }) => [`Cookie: token=${token}; access_token=${token}`],
    outcome: 'nobody',
  },
];

const running = forAllTests(startApp);

describe.each(API_VERSIONS)('Over $version', ({ path: create, key, activePath: active }) => {
  const owner = forEachTest(() => running.newUser());
  const send = async (line: string, headers: string[], body = '') => {
    const head = [line, 'Host: push.example.org', ...headers, `Content-Length: ${body.length}`];
    const [answer] = await sendBytes(running.url, requestBytes(head, body));
    if (!answer) throw new Error('no answer');
    return answer;
  };

  it.each(ROWS)('$name makes the caller $outcome', async ({ headers, outcome }) => {
    const created = await send(`POST ${create} HTTP/1.1`, headers(owner), `${key}[payload]=tulip`);
    const listed = await send(`GET ${active} HTTP/1.1`, headers(owner));
    const { body: owned } = await owner.client.get(active);

    expect(created.status).toBe(outcome === 'refused' ? 401 : 201);
    expect(listed.status).toBe(outcome === 'owner' ? 200 : 401);
    expect(owned).toHaveLength(outcome === 'owner' ? 1 : 0);
    if (listed.status === 401) {
      expect(listed.headers['www-authenticate']).toBe('Bearer');
      expect(listed.body).toEqual({ error: 'A valid API token is needed.' });
    }
  });

  it('a token in the query or the body is ignored', async () => {
    const { token, email } = owner;
    const names = [
      'access_token',
      'token',
      'api_token',
      'user_token',
      'X-User-Token',
      `${key}[access_token]`,
    ];
    const given = names.map((name) => `${name}=${token}`).join('&') + `&user_email=${email}`;
    const created = await send(
      `POST ${create}?${given} HTTP/1.1`,
      ['Content-Type: application/x-www-form-urlencoded'],
      `${given}&${key}[payload]=tulip`,
    );

    expect(created.status).toBe(201);
    expect((await send(`GET ${active}?${given} HTTP/1.1`, [])).status).toBe(401);
    expect((await owner.client.get(active)).body).toEqual([]);
  });
});
