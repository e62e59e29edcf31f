import { Injectable, NotFoundException, UnsupportedMediaTypeException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FileRules } from '../../files/file-rules.js';
import { BodiesInProgress } from '../../platform/http/body/bodies-in-progress.js';
import { mediaType } from '../../platform/http/body/media-type.js';
import type { Visitor } from '../../platform/http/visitor.js';
import type { PushSource } from '../../pushes/create/push-body.pipe.js';
import { AppendsService } from './appends.service.js';
import { PartBody } from './part-body.js';
import {
  CHECKSUM_ALGORITHMS,
  PART_TYPE,
  readChecksum,
  readSize,
  TUS_EXTENSIONS,
  TUS_VERSION,
  UploadMetadata,
} from './tus-headers.js';
import type { PartialUpload } from './upload.entity.js';
import { UploadRemoval } from './upload-removal.js';
import { UploadProblem } from './uploads.problems.js';
import { UploadsService } from './uploads.service.js';

/** A request of the protocol tus, with its response. */
export interface UploadRequest {
  request: Request;
  response: Response;
  visitor: Visitor;
}

/** Does what requests of the protocol tus ask for, and sets the headers of their responses. See docs/decisions/0108. */
@Injectable()
export class UploadRequests {
  constructor(
    private readonly uploads: UploadsService,
    private readonly appends: AppendsService,
    private readonly removal: UploadRemoval,
    private readonly rules: FileRules,
    private readonly bodies: BodiesInProgress,
  ) {}

  describe(response: Response): void {
    response.set({
      'Tus-Version': TUS_VERSION,
      'Tus-Extension': TUS_EXTENSIONS.join(),
      'Tus-Checksum-Algorithm': CHECKSUM_ALGORITHMS.join(),
      'Tus-Max-Size': String(this.rules.maxBytesReceivedInFile),
    });
  }

  /** Begins an upload, with its first part if the request has one, or with all of it if it is empty. */
  async create(
    { request, response, visitor }: UploadRequest,
    source: PushSource,
    metadata: UploadMetadata,
  ): Promise<void> {
    const hasPart = mediaType(request) === PART_TYPE;
    const checksum = hasPart ? readChecksum(request.headers) : undefined;
    const length = readSize(request.headers, 'Upload-Length');
    const { upload, token } = await this.uploads.begin({ length, metadata, source }, visitor);
    if (hasPart || length === 0) {
      try {
        await this.add(upload, { offset: 0, checksum, request, response });
      } catch (error) {
        await this.removal.end(upload); // its client does not learn its URL
        throw error;
      }
      if (request.destroyed && !request.complete) await this.removal.end(upload);
    }
    response.set('Location', `${visitor.baseUrl}${request.path}/${token}`);
    setProgress(response, upload);
  }

  async show(token: string, { response, visitor }: UploadRequest): Promise<void> {
    const upload = await this.uploads.find(token, visitor);
    const metadata = this.uploads.metadataOf(upload);
    response.set('Upload-Length', String(upload.length));
    if (metadata !== '') response.set('Upload-Metadata', metadata);
    setProgress(response, upload);
  }

  async append(token: string, { request, response, visitor }: UploadRequest): Promise<void> {
    if (mediaType(request) !== PART_TYPE)
      throw new UnsupportedMediaTypeException(new UploadProblem('upload_type_unsupported'));
    const offset = readSize(request.headers, 'Upload-Offset');
    const checksum = readChecksum(request.headers);
    const upload = await this.uploads.find(token, visitor);
    await this.add(upload, { offset, checksum, request, response });
    setProgress(response, upload);
  }

  async end(token: string, { visitor }: UploadRequest): Promise<void> {
    await this.removal.end(await this.uploads.find(token, visitor));
  }

  /** @throws NotFoundException for a POST without the name of another method */
  override(token: string, exchange: UploadRequest): Promise<void> {
    switch (exchange.request.headers['x-http-method-override']) {
      case 'HEAD':
        return this.show(token, exchange);
      case 'PATCH':
        return this.append(token, exchange);
      case 'DELETE':
        return this.end(token, exchange);
      default:
        throw new NotFoundException();
    }
  }

  private async add(
    upload: PartialUpload,
    {
      offset,
      checksum,
      request,
      response,
    }: Omit<UploadRequest, 'visitor'> & {
      offset: number;
      checksum: ReturnType<typeof readChecksum>;
    },
  ): Promise<void> {
    const body = new PartBody(request, response, this.bodies);
    try {
      await this.appends.append(upload, { offset, body, checksum });
    } finally {
      body.end();
    }
  }
}

function setProgress(response: Response, upload: PartialUpload): void {
  response.set({ 'Upload-Offset': String(upload.received), 'Upload-Expires': upload.endsAt.toUTCString() });
}
