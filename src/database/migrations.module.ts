import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { MigrationInterface } from 'typeorm';
import { migrations as ours } from './migrations/index.js';

type Migration = new () => MigrationInterface;

const MIGRATIONS = Symbol('migrations');

/** Lets other modules have tables of their own. */
@Module({})
export class MigrationsModule {
  /**
   * For the imports of a module, beside `TypeOrmModule.forFeature()` with its entities: the migrations run at the next
   * start, in the order of the timestamps at the end of their names.
   */
  static forFeature(migrations: Migration[]): DynamicModule {
    return { module: MigrationsModule, providers: [{ provide: MIGRATIONS, useValue: migrations }] };
  }
}

/** Those of the service and of all modules of the app. */
export function migrationsOf(modules: ModulesContainer): Migration[] {
  const others = [...modules.values()].map(({ providers }) => providers.get(MIGRATIONS)?.instance);
  return [...ours, ...(others as (Migration[] | undefined)[]).flatMap((migrations) => migrations ?? [])];
}
