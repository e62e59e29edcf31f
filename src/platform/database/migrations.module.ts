import type { DynamicModule, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { getRepositoryToken } from '@nestjs/typeorm';
import type { MigrationInterface, ObjectLiteral } from 'typeorm';
import { getMetadataArgsStorage } from 'typeorm';
import { StartError } from '../settings/start-error.js';
import { isOfModule, moduleOf } from './applied-migrations.js';

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

/** What TypeORM needs to know of the tables of modules. */
export interface Schema {
  entities: (new () => ObjectLiteral)[];
  migrations: Migration[];
}

/** The schema of a module and of all that it imports; nothing of them is started. */
export async function schemaIn(module: Type | DynamicModule): Promise<Schema> {
  const preview = await NestFactory.createApplicationContext(module, {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return schemaOf(preview.get(ModulesContainer));
}

/**
 * The schema of all modules of an app.
 * @throws StartError when names of two modules begin alike: without one of them, its migrations would count as newer ones of
 * the other
 */
export function schemaOf(modules: ModulesContainer): Schema {
  return { entities: entitiesOf(modules), migrations: migrationsOf(modules) };
}

/** Those that a module gives to `TypeOrmModule.forFeature`, which provides a repository of each. */
function entitiesOf(modules: ModulesContainer): Schema['entities'] {
  const tokens = new Set([...modules.values()].flatMap(({ providers }) => [...providers.keys()]));
  const classes = getMetadataArgsStorage().tables.map(({ target }) => target as Schema['entities'][number]);
  return classes.filter((entity) => tokens.has(getRepositoryToken(entity)));
}

function migrationsOf(modules: ModulesContainer): Migration[] {
  const found = [...modules.values()].map(({ providers }) => providers.get(MIGRATIONS)?.instance);
  const lists = (found as (Migration[] | undefined)[]).filter((migrations) => migrations !== undefined);
  const names = lists.flatMap((migrations) => [...new Set(migrations.map(({ name }) => moduleOf(name)))]);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new StartError(`Two modules have migrations whose names begin with ${twice}_.`);
  return lists.flat();
}
