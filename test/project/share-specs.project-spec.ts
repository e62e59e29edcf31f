interface Engine {
  name: string;
  url?: string;
}

const { specsOf } = jest.requireActual<{
  specsOf: (engine: Engine, engines: Engine[]) => string[];
}>('../support/share-specs.js');

const sqlite = { name: 'sqlite' };
const mariadb = { name: 'mariadb', url: 'mysql://root@127.0.0.1:3306' };
const mysql = { name: 'mysql', url: 'mysql://root@127.0.0.1:3307' };

const engines = [sqlite, mariadb, mysql];

const ofServers = () => [mariadb, mysql].map((server) => specsOf(server, engines));

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
    const [first = [], second = []] = ofServers();
    const onBoth = first.filter((spec) => second.includes(spec));

    expect(onBoth).toEqual(first.filter((spec) => spec.startsWith('test/database/')));
    expect(onBoth.length).toBeGreaterThan(10);
    expect(Math.min(first.length, second.length)).toBeGreaterThan(40);
  });

  it('runs every spec on SQLite', () => {
    const merged = specsOf(sqlite, engines);
    setScope('');

    expect(merged).toEqual(specsOf(sqlite, engines));
  });

  it('runs every spec on a server that is the only one', () => {
    const merged = specsOf(mariadb, [sqlite, mariadb]);
    setScope('');

    expect(merged).toEqual(specsOf(mariadb, [sqlite, mariadb]));
  });

  it('shares nothing unless it is asked for', () => {
    setScope('');
    const [first, second] = ofServers();

    expect(first).toEqual(second);
  });
});
