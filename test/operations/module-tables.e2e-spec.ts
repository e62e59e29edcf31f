import { Controller, Get, Module } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DataSource } from 'typeorm';
import { Public } from '../../src/auth/access.decorators.js';
import { MigrationsModule } from '../../src/platform/database/migrations.module.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import type { Instance } from '../support/instance.js';
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

describe('A module with a table of its own', () => {
  let instance: Instance;

  beforeEach(async () => (instance = await makeNewInstance()));
  afterEach(() => instance.destroy());

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

    const running = await start();
    try {
      expect(await notices(running)).toEqual([{ text: 'tulip' }]);
      expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('rose');
    } finally {
      await running.stop();
    }
  });
});
