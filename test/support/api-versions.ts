/** The two versions of the API: where a push is created, the key of its fields, and other paths. */
export const API_VERSIONS = [
  {
    version: 'v1',
    path: '/p.json',
    key: 'password',
    tokenPath: '/p/:token.json',
    activePath: '/p/active.json',
    versionPath: '/api/v1/version.json',
  },
  {
    version: 'v2',
    path: '/api/v2/pushes',
    key: 'push',
    tokenPath: '/api/v2/pushes/:token',
    activePath: '/api/v2/pushes/active',
    versionPath: '/api/v2/version',
  },
];
