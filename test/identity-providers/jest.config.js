const { existsSync } = require('node:fs');

/** The scripts that install the providers, and a file of each. */
const PROVIDERS = {
  glewlwyd: '/usr/bin/glewlwyd',
  lemonldap: '/usr/share/lemonldap-ng/portal/htdocs/index.psgi',
};

/** Signs in at providers of OpenID Connect as Debian has them. */
module.exports = async () => {
  for (const [name, path] of Object.entries(PROVIDERS))
    if (!existsSync(path)) throw new Error(`${path} not found: install it with .ci/${name}`);
  const { projects } = await require('../../jest.config.js')();
  const { displayName, testMatch, ...common } = projects[0];
  return {
    ...common,
    rootDir: `${__dirname}/../..`,
    testMatch: ['<rootDir>/test/identity-providers/*.identity-providers-spec.ts'],
    testTimeout: 120_000,
    globals: { engine: { name: 'sqlite' } },
  };
};
