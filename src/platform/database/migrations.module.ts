import type { DynamicModule, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { MigrationInterface } from 'typeorm';
import { isOfModule } from './applied-migrations.js';

export type Migration = new () => MigrationInterface;

const MIGRATIONS = Symbol('migrations');

/** Lets modules have tables of their own. */
@Module({})
export class MigrationsModule {
  /**
   * For the imports of a module, in addition to `TypeOrmModule.forFeature()` with its entities: the migrations run at the next
   * start, in the order of the timestamps at the end of their names. A name begins with that of the module and an
   * underscore, such as `Notices_Seen1800000000000`, so that the service can be started without the module.
   */
  static forFeature(migrations: Migration[]): DynamicModule {
    for (const { name } of migrations)
      if (!isOfModule(name))
        throw new Error(
          `The migration ${name} must be named as in docs/extending.md: Module_What1800000000000.`,
        );
    return { module: MigrationsModule, providers: [{ provide: MIGRATIONS, useValue: migrations }] };
  }
}

/** Those of all modules of an app. */
export function migrationsOf(modules: ModulesContainer): Migration[] {
  const lists = [...modules.values()].map(({ providers }) => providers.get(MIGRATIONS)?.instance);
  return (lists as (Migration[] | undefined)[]).flatMap((migrations) => migrations ?? []);
}

/** Those of a module and of all that it imports; nothing of them is started. */
export async function migrationsIn(module: Type): Promise<Migration[]> {
  const preview = await NestFactory.createApplicationContext(module, { preview: true, logger: false });
  return migrationsOf(preview.get(ModulesContainer));
}
