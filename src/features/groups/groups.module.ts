import { Module } from '@nestjs/common';
import { PagesModule } from '../../web/pages.module.js';
import { GroupsController } from './groups.page.js';

/** Groups of accounts with policies of their own, which administrators change. */
@Module({ imports: [PagesModule], controllers: [GroupsController] })
export class GroupsModule {}
