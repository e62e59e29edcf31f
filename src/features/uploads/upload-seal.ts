import { Injectable } from '@nestjs/common';
import { SealsRows } from '../../platform/sealing/row-key-rotation.js';
import { RowSeal } from '../../platform/sealing/row-seal.js';
import { PartialUpload } from './upload.entity.js';

/** What is sealed in the row of an upload. */
interface UploadContents {
  /** Of its content, in base64. */
  key: string;
  /** As its client has sent it. */
  metadata: string;
}

type BoundColumns = Pick<PartialUpload, 'id' | 'userId' | 'tokenDigest'>;

/** Seals what uploads contain, bound to their account and to the token that names them. */
@Injectable()
@SealsRows(PartialUpload)
export class UploadSeal extends RowSeal<UploadContents, BoundColumns> {
  protected readonly kind = 'upload';

  protected contextOf({ id, userId, tokenDigest }: BoundColumns): string {
    return `uploads/${id}/${userId ?? 'nobody'}/${tokenDigest}`;
  }
}
