import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { PushesModule } from '../../pushes/pushes.module.js';
import { PagesModule } from '../../web/pages.module.js';
import { AnswerSourcePipe } from './answer-source.js';
import { NewRequestController } from './new-request.page.js';
import { RequestController } from './request.page.js';
import { RequestsPageController } from './requests.page.js';
import { RequestsModule } from './requests.module.js';

/** Requests with their pages, which commands do not load. */
@Module({
  imports: [RequestsModule, FilesModule, PagesModule, PushesModule],
  providers: [AnswerSourcePipe], // which uploads of files need beside routes
  controllers: [NewRequestController, RequestsPageController, RequestController],
})
export class RequestsPagesModule {}
