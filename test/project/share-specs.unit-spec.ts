interface Engine {
  name: string;
  url?: string;
}

const { specsOfOtherServers } = jest.requireActual<{
  specsOfOtherServers: (engine: Engine, engines: Engine[]) => string[];
}>('../support/share-specs.js');

const sqlite = { name: 'sqlite' };
const mariadb = { name: 'mariadb', url: 'mysql://root@127.0.0.1:3306' };
const mysql = { name: 'mysql', url: 'mysql://root@127.0.0.1:3307' };

const engines = [sqlite, mariadb, mysql];

const shared = () => [mariadb, mysql].map((server) => specsOfOtherServers(server, engines));

describe('TEST_SCOPE=merge', () => {
  const setScope = (scope: string) => {
    jest.replaceProperty(process, 'env', { ...process.env, TEST_SCOPE: scope });
  };
  beforeEach(() => {
    setScope('merge');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('runs each spec on one of the servers, about as many on each, and those of the database on both', () => {
    const [first = [], second = []] = shared();

    expect(first.filter((spec) => second.includes(spec))).toEqual([]);
    expect(Math.min(first.length, second.length)).toBeGreaterThan(30);
    expect([...first, ...second].filter((spec) => spec.includes('/database/'))).toEqual([]);
  });

  it('leaves every spec to SQLite', () => {
    expect(specsOfOtherServers(sqlite, engines)).toEqual([]);
  });

  it('leaves every spec to a server that is the only one', () => {
    expect(specsOfOtherServers(mariadb, [sqlite, mariadb])).toEqual([]);
  });

  it('does nothing unless it is asked for', () => {
    setScope('');

    expect(shared()).toEqual([[], []]);
  });
});
