import { Controller, Get, Module } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DataSource } from 'typeorm';
import { Public } from '../../src/auth/access.decorators.js';
import { AdditiveMigration } from '../../src/platform/database/additive-migration.js';
import { column, nullable } from '../../src/platform/database/columns.js';
import { MigrationsModule } from '../../src/platform/database/migrations.module.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { engine } from '../support/engine.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { makeNewInstance } from '../support/instance.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

class Notices_Seen1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notices_seen (text varchar(100) NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notices_seen');
  }
}

@Controller('api/notices')
class NoticesController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Get()
  @Public()
  async list(): Promise<unknown> {
    await this.unitOfWork.run((manager) => manager.query("INSERT INTO notices_seen VALUES ('tulip')"));
    return this.dataSource.query('SELECT text FROM notices_seen');
  }
}

@Module({
  imports: [MigrationsModule.forFeature([Notices_Seen1800000000000])],
  controllers: [NoticesController],
})
class NoticesModule {}

class Notices_Later1800000000001 extends AdditiveMigration {
  protected override readonly tables = [
    { name: 'notices_kept', columns: [column.id, column.exactText('text', 20)] },
  ];
  protected override readonly columns = {
    notices_seen: [
      column.integer('times', { default: '1' }),
      column.dateTime('last_at', nullable),
      column.flag('is_read', { default: '0' }),
    ],
  };
  protected override readonly indices = {
    notices_seen: [{ columnNames: ['text', 'times'], isUnique: true }],
  };
  protected override readonly rows = { notices_kept: { id: 'first', text: '{}' } };
}

describe('A migration that only adds', () => {
  const instance = forEachTest(makeNewInstance);
  const running = forEachTest(() => startApp({}, { instance, extensions: [NoticesModule] }));

  beforeEach(() => running.dataSource.query("INSERT INTO notices_seen (text) VALUES ('tulip')"));

  const migrate = async (direction: 'up' | 'down') => {
    const runner = running.dataSource.createQueryRunner();
    await new Notices_Later1800000000001()[direction](runner);
    await runner.release();
  };
  const rows = (table: string) => running.dataSource.query(`SELECT * FROM ${table}`);
  const indexed = async () => {
    const runner = running.dataSource.createQueryRunner();
    const table = await runner.getTable('notices_seen');
    await runner.release();
    return table?.indices.map(({ columnNames, isUnique }) => [columnNames, isUnique]);
  };

  it('adds a table with its first row, columns with a value for existing rows, and an index', async () => {
    await migrate('up');

    expect(await rows('notices_kept')).toEqual([{ id: 'first', text: '{}' }]);
    const is_read = engine.name === 'postgres' ? false : 0;
    expect(await rows('notices_seen')).toEqual([{ text: 'tulip', times: 1, last_at: null, is_read }]);
    expect(await indexed()).toEqual([[['text', 'times'], true]]);
  });

  it('adds nothing that is there already, as after a start that was killed', async () => {
    await migrate('up');
    await migrate('up');

    expect(await rows('notices_kept')).toHaveLength(1);
    expect(await indexed()).toHaveLength(1);
  });

  it('can be reverted', async () => {
    await migrate('up');
    await migrate('down');

    expect(await rows('notices_seen')).toEqual([{ text: 'tulip' }]);
    expect(await indexed()).toEqual([]);
    await expect(rows('notices_kept')).rejects.toThrow();
  });
});

describe('A module with a table of its own', () => {
  const instance = forEachTest(makeNewInstance);

  const start = () => startApp({}, { instance, extensions: [NoticesModule] });
  const notices = async ({ anonymous }: RunningApp) => (await anonymous.get('/api/notices')).body;

  it('has its migration run at the first start, and not again at the next', async () => {
    for (const count of [1, 2]) {
      const running = await start();
      try {
        expect(await notices(running)).toEqual(Array(count).fill({ text: 'tulip' }));
        expect((await running.anonymous.get('/ready')).body.checks.migrations).toBe(true);
      } finally {
        await running.stop();
      }
    }
  });

  it('has its table made in a database that the service has used without it', async () => {
    const before = await startApp({}, { instance });
    const { url_token } = await before.anonymous.push({ payload: 'rose' });
    await before.stop();

    const running = await forThisTest(start());
    expect(await notices(running)).toEqual([{ text: 'tulip' }]);
    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('rose');
  });
});
