import type { PipeTransform } from '@nestjs/common';
import {
  Controller,
  createParamDecorator,
  Delete,
  Head,
  HttpCode,
  Injectable,
  Options,
  Param,
  Patch,
  Post,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { Anonymous, ForTokens, Public } from '../../auth/access.decorators.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import { VisitorPipe } from '../../platform/http/visitor.js';
import { CountedAsPages } from '../../platform/limits/rate-limit.guard.js';
import type { NewUpload } from './new-upload.pipe.js';
import { BegunUpload } from './new-upload.pipe.js';
import { TusVersionGuard } from './tus-protocol.js';
import type { UploadRequest } from './upload-requests.js';
import { UploadRequests } from './upload-requests.js';

const Exchange = createParamDecorator((_: unknown, context): Omit<UploadRequest, 'visitor'> => {
  const http = context.switchToHttp();
  return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});

@Injectable()
class UploadRequestPipe implements PipeTransform<Omit<UploadRequest, 'visitor'>, UploadRequest> {
  constructor(private readonly visitors: VisitorPipe) {}

  transform(exchange: Omit<UploadRequest, 'visitor'>): UploadRequest {
    return { ...exchange, visitor: this.visitors.transform(exchange.request) };
  }
}

/** Parameter decorator: a request of the protocol, with its response. */
export const CurrentUploadRequest = () => Exchange(UploadRequestPipe);

@Controller('api/v2/uploads')
@OnGateway()
@UseGuards(TusVersionGuard)
export class UploadsController {
  constructor(private readonly uploads: UploadRequests) {}

  /** Says what is supported of the protocol tus. */
  @Options()
  @HttpCode(204)
  @Public()
  describe(@Res({ passthrough: true }) response: Response): void {
    this.uploads.describe(response);
  }

  /** Begins to upload a file in parts. */
  @Post()
  @Anonymous()
  @ForTokens('create')
  create(
    @BegunUpload() { source, metadata }: NewUpload,
    @CurrentUploadRequest() request: UploadRequest,
  ): Promise<void> {
    return this.uploads.create(request, source, metadata);
  }

  /** Says how much of a file has arrived. */
  @Head(':id')
  @Anonymous()
  @ForTokens('create')
  @CountedAsPages()
  show(@Param('id') id: string, @CurrentUploadRequest() request: UploadRequest): Promise<void> {
    return this.uploads.show(id, request);
  }

  /** Adds a part to a file. */
  @Patch(':id')
  @HttpCode(204)
  @Anonymous()
  @ForTokens('create')
  @CountedAsPages()
  append(@Param('id') id: string, @CurrentUploadRequest() request: UploadRequest): Promise<void> {
    return this.uploads.append(id, request);
  }

  /** Does what X-HTTP-Method-Override says, where a client or a proxy cannot send that method. */
  @Post(':id')
  @HttpCode(204)
  @Anonymous()
  @ForTokens('create')
  @CountedAsPages()
  override(@Param('id') id: string, @CurrentUploadRequest() request: UploadRequest): Promise<void> {
    return this.uploads.override(id, request);
  }

  /** Ends an upload, and removes what has arrived. */
  @Delete(':id')
  @HttpCode(204)
  @Anonymous()
  @ForTokens('create')
  end(@Param('id') id: string, @CurrentUploadRequest() request: UploadRequest): Promise<void> {
    return this.uploads.end(id, request);
  }
}
