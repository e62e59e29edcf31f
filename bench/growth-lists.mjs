// How long each list takes for the owner of half of all pushes, who is an administrator as well.
const LAST_PAGE = 200;
const LONGEST_LOG_PAGE = Math.ceil((3 * 2000 + 102) / 50);
const REQUESTS = 21;

/** One request after the other, the median of each list; the two services take turns. */
export async function measureLists(services, { longest, middle }) {
  const results = { empty: {}, grown: {} };
  for (const service of Object.values(services)) service.search = await searchFor(service, 'number 1');
  for (const [name, path] of lists(longest, middle)) {
    const times = { empty: [], grown: [] };
    for (let i = 0; i < REQUESTS; i++)
      for (const [which, service] of Object.entries(services)) {
        const url = service.url + path.replace('SEARCH', service.search).replace('ACCOUNT', service.account);
        const startedAt = performance.now();
        const response = await fetch(url, { headers: service.headers, redirect: 'manual' });
        await response.text();
        times[which].push(performance.now() - startedAt);
        const isRight = response.status === 200 || (which === 'empty' && response.status === 404);
        if (!isRight) throw new Error(`${name}: ${response.status}`);
      }
    for (const [which, taken] of Object.entries(times))
      results[which][name] = Number(taken.sort((a, b) => a - b)[Math.floor(REQUESTS / 2)].toFixed(1));
  }
  return results;
}

/** Of a push the empty database answers 404. */
function lists(longest, middle) {
  const pagesOf = (name, path, pages = [1, LAST_PAGE]) =>
    pages.map((page) => [`${name} ${page}`, `${path}${path.includes('?') ? '&' : '?'}page=${page}`]);
  const logPages = [1, LONGEST_LOG_PAGE, LAST_PAGE];
  return [
    ...pagesOf('API, active', '/api/v2/pushes/active'),
    ...pagesOf('API, expired', '/api/v2/pushes/expired'),
    ...pagesOf('API, log of a push', `/api/v2/pushes/${longest}/audit`, logPages),
    ['API, log of an account', '/api/v2/audit?limit=50'],
    ...pagesOf('dashboard', '/pushes'),
    ...pagesOf('dashboard, expired', '/pushes/expired'),
    ['dashboard, one kind', '/pushes?state=all&kind=text'],
    ...pagesOf('activity of a push', `/p/${longest}/audit`, logPages),
    ['search', '/pushes?search=SEARCH'],
    ['search older', `/pushes?search=SEARCH&before=${middle}`],
    ['search without a match', '/pushes?search=SEARCH&kind=url'],
    ...pagesOf('tokens', '/users/token'),
    ['webhooks', '/users/webhooks'],
    ['webhooks of the instance', '/admin/webhooks'],
    ...pagesOf('accounts', '/admin/accounts'),
    ['an account', '/admin/accounts/ACCOUNT'],
    ...pagesOf('audit log of the instance', '/admin/audit'),
    ...pagesOf('audit log of the instance, one kind', '/admin/audit?kind=token_created'),
    ['overview', '/admin'],
  ];
}

/** What is searched for, as it is written in a URL. */
async function searchFor({ url, headers }, text) {
  const response = await fetch(`${url}/pushes/search`, {
    method: 'POST',
    headers: { ...headers, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ q: text }),
    redirect: 'manual',
  });
  return new URL(response.headers.get('location'), url).searchParams.get('search');
}
