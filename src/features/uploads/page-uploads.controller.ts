import { Controller, Delete, Head, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { PublicPage } from '../../auth/access.decorators.js';
import type { PageUploads } from '../../files/file-rules.js';
import { UploadsOfPages } from '../../files/file-rules.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import { CountedAsPages } from '../../platform/limits/rate-limit.guard.js';
import type { NewUpload } from './new-upload.pipe.js';
import { BegunUpload } from './new-upload.pipe.js';
import { TusVersionGuard } from './tus-protocol.js';
import type { UploadRequest } from './upload-requests.js';
import { UploadRequests } from './upload-requests.js';
import { CurrentUploadRequest } from './uploads.controller.js';
import { UploadSettings } from './uploads.settings.js';

/** The same as `UploadsController` for the scripts of pages, whose visitors have sessions and no tokens. */
@Controller('uploads')
@OnGateway()
@UseGuards(TusVersionGuard)
export class PageUploadsController {
  constructor(
    private readonly uploads: UploadRequests,
    private readonly settings: UploadSettings,
  ) {}

  @UploadsOfPages()
  ofPages(): PageUploads {
    return { path: '/uploads', partBytes: this.settings.UPLOAD_PART_SIZE };
  }

  @Post()
  @PublicPage()
  create(
    @BegunUpload() { source, metadata }: NewUpload,
    @CurrentUploadRequest() request: UploadRequest,
  ): Promise<void> {
    return this.uploads.create(request, source, metadata);
  }

  @Head(':id')
  @PublicPage()
  @CountedAsPages()
  show(@Param('id') id: string, @CurrentUploadRequest() request: UploadRequest): Promise<void> {
    return this.uploads.show(id, request);
  }

  @Patch(':id')
  @HttpCode(204)
  @PublicPage()
  @CountedAsPages()
  append(@Param('id') id: string, @CurrentUploadRequest() request: UploadRequest): Promise<void> {
    return this.uploads.append(id, request);
  }

  @Delete(':id')
  @HttpCode(204)
  @PublicPage()
  end(@Param('id') id: string, @CurrentUploadRequest() request: UploadRequest): Promise<void> {
    return this.uploads.end(id, request);
  }
}
