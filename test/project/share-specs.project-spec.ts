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
const postgres = { name: 'postgres', url: 'postgresql://postgres@127.0.0.1:5432' };
const newer = { name: 'postgres', url: 'postgresql://postgres@127.0.0.1:5433' };

const engines = [sqlite, mariadb, mysql, postgres];
const servers = [mariadb, mysql, postgres];

const ofServers = () => servers.map((server) => specsOf(server, engines));
const isOfDatabase = (spec: string) => spec.startsWith('test/database/');
const isOfOneKind = (spec: string) => /\.(mysql|postgres)-spec\.ts$/.test(spec);

const setScope = (scope: string) => {
  jest.replaceProperty(process, 'env', { ...process.env, TEST_SCOPE: scope });
};
afterEach(() => {
  jest.restoreAllMocks();
});

describe('TEST_SCOPE=merge', () => {
  beforeEach(() => {
    setScope('merge');
  });

  it('runs each spec on one of the servers, about as many on each', () => {
    const merged = ofServers().map((specs) => specs.filter((spec) => !isOfDatabase(spec)));

    expect(new Set(merged.flat()).size).toBe(merged.flat().length);
    expect(Math.min(...merged.map(({ length }) => length))).toBeGreaterThan(25);
  });

  it('runs those of the database on PostgreSQL, and on MariaDB or MySQL', () => {
    const [onMariadb = [], onMysql = [], onPostgres] = ofServers().map((specs) => specs.filter(isOfDatabase));
    setScope('');

    expect(onPostgres).toEqual(specsOf(postgres, engines).filter(isOfDatabase));
    expect([...onMariadb, ...onMysql].sort()).toEqual(specsOf(mysql, engines).filter(isOfDatabase));
    expect(Math.min(onMariadb.length, onMysql.length)).toBeGreaterThan(4);
  });

  it('runs every spec of servers on one of them', () => {
    const merged = new Set(ofServers().flat());
    setScope('');

    expect([...merged].sort()).toEqual([...new Set(ofServers().flat())].sort());
  });

  it('runs specs of MySQL and of PostgreSQL only there', () => {
    setScope('');

    expect(specsOf(postgres, engines).filter((spec) => spec.endsWith('.mysql-spec.ts'))).toEqual([]);
    expect(specsOf(mysql, engines).filter((spec) => spec.endsWith('.postgres-spec.ts'))).toEqual([]);
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

  it('runs every spec of the database on one of two servers of the same engine', () => {
    const both = [sqlite, postgres, newer];
    const onNewer = specsOf(newer, both);

    expect(onNewer.length).toBeGreaterThan(4);
    expect(onNewer.filter((spec) => !isOfDatabase(spec))).toEqual([]);
    expect([...specsOf(postgres, both), ...onNewer].sort()).toEqual(specsOf(postgres, [sqlite, postgres]));
  });

  it('shares nothing unless it is asked for', () => {
    setScope('');
    const [first, second, third = []] = ofServers();

    expect(first).toEqual(second);
    expect(first?.filter((spec) => !isOfOneKind(spec))).toEqual(third.filter((spec) => !isOfOneKind(spec)));
  });
});

describe('Another server of an engine', () => {
  it('runs only the specs of the database, and takes none from the first one', () => {
    setScope('');
    const onFirst = specsOf(postgres, engines);

    expect(specsOf(postgres, [...engines, newer])).toEqual(onFirst);
    expect(specsOf(newer, [...engines, newer])).toEqual(onFirst.filter(isOfDatabase));
  });
});
