import type { DynamicModule, Type } from '@nestjs/common';

/** A class with `@Module`, or what a method such as `forRoot` of it returns. */
export type NestModuleDefinition = Type | DynamicModule;

/** Your own modules in this folder, in addition to those of MODULES. docs/extending.md explains how to write one. */
export const customModules: NestModuleDefinition[] = [];
