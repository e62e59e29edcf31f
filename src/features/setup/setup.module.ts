import { Module } from '@nestjs/common';
import { PagesModule } from '../../web/pages.module.js';
import { SetupController } from './setup.page.js';

/** The page on which the first administrator is created. */
@Module({ imports: [PagesModule], controllers: [SetupController] })
export class SetupModule {}
