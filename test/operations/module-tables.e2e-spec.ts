import { Controller, Get, Module } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Column, Entity, PrimaryColumn, Repository } from 'typeorm';
import { Public } from '../../src/auth/access.decorators.js';
import { MigrationsModule } from '../../src/database/migrations.module.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { Place } from '../support/place.js';
import { makePlace } from '../support/place.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

@Entity('notices_seen')
class Notice {
  @PrimaryColumn('varchar', { length: 36 })
  id: string;

  @Column('varchar', { length: 100 })
  text: string;
}

class NoticesSeen1800000000000 implements MigrationInterface {
  name = 'NoticesSeen1800000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE notices_seen (id varchar(36) NOT NULL PRIMARY KEY, text varchar(100) NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notices_seen');
  }
}

@Controller('api/notices')
class NoticesController {
  constructor(
    @InjectRepository(Notice) private readonly notices: Repository<Notice>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Get()
  @Public()
  async list(): Promise<Notice[]> {
    await this.unitOfWork.run((manager) => manager.save(Notice, { id: 'first', text: 'tulip' }));
    return this.notices.find();
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Notice]), MigrationsModule.forFeature([NoticesSeen1800000000000])],
  controllers: [NoticesController],
})
class NoticesModule {}

describe('A module with a table of its own', () => {
  let place: Place;

  beforeEach(async () => (place = await makePlace()));
  afterEach(() => place.destroy());

  const start = () => startApp({}, place, undefined, [{ module: NoticesModule }]);
  const notices = async ({ anonymous }: RunningApp) => (await anonymous.get('/api/notices')).body;

  it('has its migration run at the first start, and not again at the next', async () => {
    for (let i = 0; i < 2; i++) {
      const running = await start();
      try {
        expect(await notices(running)).toEqual([{ id: 'first', text: 'tulip' }]);
      } finally {
        await running.stop();
      }
    }
  });

  it('has its table made in a database that the service has used without it', async () => {
    const before = await startApp({}, place);
    const { url_token } = await before.anonymous.push({ payload: 'rose' });
    await before.stop();

    const running = await start();
    try {
      expect(await notices(running)).toEqual([{ id: 'first', text: 'tulip' }]);
      expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('rose');
    } finally {
      await running.stop();
    }
  });
});
