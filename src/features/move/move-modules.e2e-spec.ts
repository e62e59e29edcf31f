import { cp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, QueryRunner } from 'typeorm';
import {
  Column,
  DeleteDateColumn,
  Entity,
  JoinTable,
  ManyToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { AdditiveMigration, needs, removedWith } from '../../platform/database/additive-migration.js';
import {
  column,
  DateTimeColumn,
  IdColumn,
  nullable,
  primary,
  ReferenceColumn,
  SealedColumn,
} from '../../platform/database/columns.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { NotExported } from '../../platform/database/tables.js';
import { command } from '../../../test/support/command.js';
import { exportedLines, writeExport } from '../../../test/support/export-files.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import type { Instance } from '../../../test/support/instance.js';
import { makeNewInstance } from '../../../test/support/instance.js';
import { engine } from '../../../test/support/engine.js';
import { queryBeside } from '../../../test/support/other-connection.js';
import type { RunningApp } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';
import { tableRows } from './table-rows.js';

/** Its table comes first by its name, and refers to both others. */
@Entity('garden_bulbs')
class Bulb {
  @PrimaryGeneratedColumn()
  id: number;

  @ReferenceColumn()
  userId: string;

  @ReferenceColumn()
  plotId: string;

  @Column('text')
  order: string;

  @Column({ type: Boolean, nullable: true })
  isWhite: boolean | null;

  @DateTimeColumn({ nullable: true })
  plantedAt: Date | null;

  @SealedColumn()
  seed: Buffer;

  @Column('simple-array')
  colours: string[];

  @Column('simple-json')
  shape: object;
}

/** A part of a table, as another module may have it. */
@Entity('garden_plots')
class PlotOfVisitors {
  @IdColumn()
  id: string;
}

/** Refers to rows of its own table, and keeps those that are deleted. */
@Entity('garden_plots')
class Plot {
  @IdColumn()
  id: string;

  @ReferenceColumn({ nullable: true })
  partOf: string | null;

  @DeleteDateColumn({ precision: 3 })
  deletedAt: Date | null;
}

/** Has a key of two columns. */
@Entity('garden_counts')
class Count {
  @PrimaryColumn('integer')
  year: number;

  @PrimaryColumn('varchar', { length: 20 })
  colour: string;

  @Column('bigint')
  bulbs: number | string;
}

/** A part of a table of the service. */
@Entity('users')
class Gardener {
  @IdColumn()
  id: string;
}

/** Its table, and that of visits, refer to each other. */
@NotExported()
@Entity('garden_guests')
class Guest {
  @IdColumn()
  id: string;
}

@NotExported()
@Entity('garden_visits')
class Visit {
  @IdColumn()
  id: string;
}

class Garden_Initial1800000000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'garden_plots',
      columns: [column.id, column.reference('part_of', nullable), column.dateTime('deleted_at', nullable)],
      foreignKeys: [removedWith('garden_plots', 'part_of')],
    },
    {
      name: 'garden_bulbs',
      columns: [
        column.integer('id', { ...primary, isGenerated: true, generationStrategy: 'increment' }),
        column.reference('user_id'),
        column.reference('plot_id'),
        column.longText('order'),
        column.flag('is_white', nullable),
        column.dateTime('planted_at', nullable),
        column.sealed('seed'),
        column.longText('colours'),
        column.longText('shape'),
      ],
      foreignKeys: [removedWith('users', 'user_id'), needs('garden_plots', 'plot_id')],
    },
    {
      name: 'garden_counts',
      columns: [column.integer('year', primary), column.text('colour', 20, primary), column.bigint('bulbs')],
    },
    { name: 'garden_guests', columns: [column.id] },
    { name: 'garden_visits', columns: [column.id] },
  ];

  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    await addReference(runner, 'garden_guests', 'garden_visits');
    await addReference(runner, 'garden_visits', 'garden_guests');
  }
}

async function addReference(runner: Pick<QueryRunner, 'dataSource' | 'query'>, from: string, to: string) {
  await runner.query(`ALTER TABLE ${from} ADD other_id varchar(36) REFERENCES ${to} (id)`);
  if (engine.name === 'mysql' || engine.name === 'mariadb')
    // which ignore the references of columns
    await runner.query(`ALTER TABLE ${from} ADD FOREIGN KEY (other_id) REFERENCES ${to} (id)`);
}

@Module({
  imports: [
    TypeOrmModule.forFeature([Bulb, PlotOfVisitors, Plot, Count, Guest, Visit, Gardener]),
    MigrationsModule.forFeature([Garden_Initial1800000000000]),
  ],
})
class GardenModule {}

/** Its parts are columns of its table that are no properties of it. */
class Position {
  @Column('integer')
  x: number;
}

@Entity('stone_walls')
class Wall {
  @IdColumn()
  id: string;

  @Column(() => Position)
  position: Position;
}

class Stones_Initial1800000000001 extends AdditiveMigration {
  protected override readonly tables = [{ name: 'stone_walls', columns: [column.id, column.integer('x')] }];
}

@Module({
  imports: [TypeOrmModule.forFeature([Wall]), MigrationsModule.forFeature([Stones_Initial1800000000001])],
})
class StonesModule {}

@Entity('plants')
class Plant {
  @IdColumn()
  id: string;
}

@Entity('hives')
class Hive {
  @IdColumn()
  id: string;

  @ManyToMany(() => Plant)
  @JoinTable()
  plants: Plant[];
}

/** Its name is bytes in the database and a text in the program. */
@Entity('hives')
class NamedHive {
  @IdColumn()
  id: string;

  @Column('blob', { transformer: { from: String, to: (name: string) => Buffer.from(name) } })
  name: string;
}

class Hives_Initial1800000000002 extends AdditiveMigration {
  protected override readonly tables = [
    { name: 'plants', columns: [column.id] },
    { name: 'hives', columns: [column.id, column.sealed('name')] },
  ];
}

@Module({
  imports: [
    TypeOrmModule.forFeature([Hive, Plant]),
    MigrationsModule.forFeature([Hives_Initial1800000000002]),
  ],
})
class HivesModule {}

@Module({
  imports: [TypeOrmModule.forFeature([NamedHive]), MigrationsModule.forFeature([Hives_Initial1800000000002])],
})
class NamedHivesModule {}

@Module({ imports: [undefined as never] })
class FaultyModule {}

interface Refused {
  extensions?: Type[];
  change?: (dataSource: DataSource) => Promise<unknown>;
}

const WITH_GARDEN = { extensions: [GardenModule] };
const YEARS = 250; // more than are read at a time

describe('The tables of an added module', () => {
  const folder = forAllTests(makeFolder);
  const source = forAllTests(makeNewInstance);
  let file: string;
  let exported: any;
  let userId: string;
  const targets: Instance[] = [];

  beforeAll(async () => {
    file = join(folder.path, 'export');
    const running = await startApp({}, { instance: source, ...WITH_GARDEN });
    userId = (await running.newUser()).id;
    await fill(running, userId);
    await running.stop();
    exported = await command(source, ['export', file], WITH_GARDEN);
  });
  afterAll(async () => {
    for (const instance of targets) await instance.destroy();
  });

  async function newTarget(): Promise<Instance> {
    const target = await makeNewInstance();
    targets.push(target);
    await cp(join(source.dataDir, 'master.key'), join(target.dataDir, 'master.key'));
    return target;
  }

  const expectRefused = async (
    path: string,
    why: RegExp,
    options: Parameters<typeof command>[2] = WITH_GARDEN,
  ) => {
    const target = await newTarget();
    expect(await command(target, ['import', path], options)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(why),
    });
    await expect(queryBeside(target, 'SELECT COUNT(*) FROM users')).rejects.toThrow();
  };

  it('are exported and imported like all others, after those that they refer to', async () => {
    const target = await newTarget();
    const imported = await command(target, ['import', file], WITH_GARDEN);
    const names = (await exportedLines(file)).flatMap((line) => JSON.parse(line).table ?? []);
    const { rows, left_out } = JSON.parse(exported.stdout);

    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(imported.stdout).rows).toEqual(rows);
    expect(left_out).toBeUndefined();
    expect(rows).toMatchObject({ garden_bulbs: 2, garden_plots: 2, garden_counts: 2 * YEARS });
    expect(rows).not.toHaveProperty('garden_visits');
    for (const before of ['users', 'garden_plots'])
      expect(names.indexOf(before)).toBeLessThan(names.indexOf('garden_bulbs'));

    const [there, here] = [await contentsOf(target), await contentsOf(source)];
    expect(there).toEqual({ ...here, visits: [] });
    expect(here).toMatchObject({ bulbs: [{ userId }, { userId }], visits: [{ id: 'ada' }] });
    expect(here.plots).toMatchObject([{ deletedAt: null }, { id: 'part', deletedAt: expect.any(Date) }]);
  });

  it('continue the numbers of their rows after an import', async () => {
    const target = await newTarget();
    await command(target, ['import', file], WITH_GARDEN);
    const running = await startApp({}, { instance: target, ...WITH_GARDEN });
    const { manager } = running.dataSource;
    const [newest, ...others] = await manager.find(Bulb, { order: { id: 'DESC' } });
    await manager.insert(Bulb, { ...newest, id: undefined });
    const [added] = await manager.find(Bulb, { order: { id: 'DESC' } });
    await running.stop();

    expect(others).toHaveLength(1);
    expect(added?.id).toBeGreaterThan(newest?.id ?? Infinity);
  });

  it('are named when they are left out, because the module is not loaded', async () => {
    const without = join(folder.path, 'without');
    const { code, stdout } = await command(source, ['export', without]);

    expect([code, JSON.parse(stdout).left_out]).toEqual([
      0,
      ['garden_bulbs', 'garden_counts', 'garden_guests', 'garden_plots', 'garden_visits'],
    ]);
    expect(await command(await newTarget(), ['import', without])).toMatchObject({ code: 0, stderr: '' });
    await expectRefused(
      without,
      /was exported by an older version, .+, or without some of the MODULES here\. /,
    );
  });

  it('are imported only with the module', () =>
    expectRefused(
      file,
      /^sealpush: .+ was exported by version \d\S+ with modules that are not loaded here \(Garden\): import it with that version and the same MODULES\.\n$/,
      {},
    ));

  it('are not imported before those that they refer to, nor with rows of unknown accounts, and nothing is left', async () => {
    const [header = '', ...lines] = (await exportedLines(file)).slice(0, -1);
    const isOfBulbs = (_: string, index: number) =>
      lines
        .slice(0, index + 1)
        .findLast((line) => line.startsWith('{"table"'))
        ?.includes('garden_bulbs');
    const bulbs = lines.filter(isOfBulbs);
    const others = lines.filter((line) => !bulbs.includes(line));
    const strange = bulbs.map((line) => line.replace(userId, 'nobody'));

    for (const [name, changed] of [
      ['too-early', [...bulbs, ...others]],
      ['strange', [...others, ...strange]],
    ] as const) {
      await writeExport(join(folder.path, name), [header, ...changed]);
      await expectRefused(
        join(folder.path, name),
        /^sealpush: Rows of table garden_bulbs cannot be written \([A-Z_0-9]+\)\. The import is not finished: /,
      );
    }
    await writeExport(join(folder.path, 'right'), [header, ...others, ...bulbs]);
    const again = await command(await newTarget(), ['import', join(folder.path, 'right')], WITH_GARDEN);
    expect(again.code).toBe(0);
  });

  it('are not imported with columns or values that they do not have', async () => {
    const lines = (await exportedLines(file)).slice(0, -1);
    const at = lines.findIndex((line) => line.startsWith('{"table":"garden_bulbs"'));
    const columns: string[] = JSON.parse(lines[at] ?? '').columns;
    const row = JSON.parse(lines[at + 1] ?? '');
    const withRow = (index: number, value: unknown) =>
      lines.with(at + 1, JSON.stringify(row.with(index, value)));
    const withColumns = (names: string[]) =>
      lines.with(at, JSON.stringify({ table: 'garden_bulbs', columns: names }));

    for (const [changed, what] of [
      [withRow(0, '1'), 'garden_bulbs.id'],
      [withRow(columns.indexOf('colours'), [1]), 'garden_bulbs.colours'],
      [withRow(columns.indexOf('is_white'), 'yes'), 'garden_bulbs.is_white'],
      [withColumns(columns.with(0, 'tulips')), 'garden_bulbs.tulips'],
      [withColumns(columns.with(0, 'order')), 'garden_bulbs'],
      [[...lines, '{"table":"garden_visits","columns":["id"]}', '["ada"]'], 'garden_visits'],
    ] as const) {
      const path = join(folder.path, 'wrong');
      await writeExport(path, [...changed]);
      await expectRefused(path, new RegExp(`^sealpush: The file has data that does not fit ${what}\\. `));
    }
  });

  it.each([
    [
      'of an entity with parts',
      'An export cannot have column x of table stone_walls: docs/extending.md says which it can.',
      { extensions: [StonesModule] },
    ],
    [
      'that refer to each other',
      'The tables garden_plots, users refer to each other, so none can be the first.',
      {
        change: async ({ manager }: DataSource) => {
          await addReference(manager, 'garden_plots', 'users');
          await addReference(manager, 'users', 'garden_plots');
        },
      },
    ],
    [
      'that join others and have no entity',
      'An export cannot have table hives_plants_plants, which has no entity: docs/extending.md says how it gets one.',
      { extensions: [HivesModule] },
    ],
    [
      'with a column that no entity has',
      'Column shade of table garden_plots would be lost, because the entity Plot does not have it.',
      { change: ({ manager }: DataSource) => manager.query('ALTER TABLE garden_plots ADD shade integer') },
    ],
    [
      'with a value that an import would refuse',
      'An export cannot have what is in column shape of table garden_bulbs: docs/extending.md says which values it can.',
      { change: ({ manager }: DataSource) => manager.update(Bulb, { order: '' }, { shape: 1 as never }) },
    ],
    [
      'with a value that an import would change',
      'An export cannot have what is in column name of table hives: docs/extending.md says which values it can.',
      {
        extensions: [NamedHivesModule],
        change: ({ manager }: DataSource) => manager.insert(NamedHive, { id: 'a', name: 'first' }),
      },
    ],
  ])('%s are not exported, nor anything else', async (_, why, { extensions, change }: Refused) => {
    const instance = await newTarget();
    const path = join(folder.path, 'refused');
    const running = await startApp({}, { instance, extensions: extensions ?? [GardenModule] });
    if (!extensions) await fill(running, (await running.newUser()).id);
    await change?.(running.dataSource);
    await running.stop();

    expect(await command(instance, ['export', path], { extensions: extensions ?? [GardenModule] })).toEqual({
      code: 1,
      stdout: '',
      stderr: `sealpush: ${why}\n`,
    });
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('are not imported with a module that is faulty, whose message is printed', () =>
    expectRefused(file, /^sealpush: .*FaultyModule/, { extensions: [FaultyModule] }));

  it('are read a few at a time if their values are long', async () => {
    const running = await startApp({}, { instance: await newTarget(), ...WITH_GARDEN });
    const { manager } = running.dataSource;
    await fill(running, (await running.newUser()).id);
    const [{ id: _, ...bulb } = {}] = await manager.find(Bulb);
    const long = { ...bulb, shape: { cup: 'x'.repeat(60_000) } };
    await manager.insert(Bulb, Array<typeof long>(80).fill(long));
    const sizes: number[] = [];
    for await (const rows of tableRows(manager, manager.dataSource.getMetadata(Bulb)))
      sizes.push(rows.length);
    await running.stop();

    expect(sizes).toEqual([71, 11]);
  });
});

async function fill({ dataSource: { manager } }: RunningApp, userId: string): Promise<void> {
  await manager.insert(Visit, { id: 'ada' });
  await manager.insert(Plot, { id: 'a-garden', partOf: null });
  await manager.insert(Plot, { id: 'part', partOf: 'a-garden', deletedAt: new Date(1) });
  const shared = { userId, plotId: 'part', seed: Buffer.from([0, 255]), shape: { cup: ['round', 1] } };
  await manager.insert(Bulb, {
    ...shared,
    order: 'first "of" ŝ',
    isWhite: true,
    plantedAt: new Date(1),
    colours: ['white', 'red'],
  });
  const none = { order: '', isWhite: null, plantedAt: null, colours: [] };
  await manager.insert(Bulb, { ...shared, ...none, shape: ['round'] });
  const years = Array.from({ length: YEARS }, (_, index) => index - 3);
  await manager.insert(
    Count,
    years.flatMap((year) => ['red', 'white'].map((colour) => ({ year, colour, bulbs: 2 ** 50 + year }))),
  );
}

async function contentsOf(instance: Instance) {
  const running = await startApp({}, { instance, ...WITH_GARDEN });
  const { manager } = running.dataSource;
  const contents = {
    bulbs: await manager.find(Bulb, { order: { id: 'ASC' } }),
    plots: await manager.find(Plot, { order: { id: 'ASC' }, withDeleted: true }),
    counts: await manager.find(Count, { order: { year: 'ASC', colour: 'ASC' } }),
    visits: await manager.find(Visit),
  };
  await running.stop();
  return contents;
}
