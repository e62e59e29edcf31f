import type { InlineFile } from '../files/files.service.js';
import type { Upload } from '../files/upload.js';
import type { PushKind } from './push-kind.js';

/** What a push is made of, after validation and with the instance's defaults filled in. */
export interface PushTerms {
  kind: PushKind;
  payload: string;
  passphrase?: string;
  name?: string;
  note?: string;
  expireAfterDays: number;
  /** How long it lives, in milliseconds; less than its days only when the caller asked for hours or minutes. */
  lifetime: number;
  expireAfterViews: number;
  deletableByViewer: boolean;
  retrievalStep: boolean;
  /** Stored already, or still in memory. */
  files?: Upload | InlineFile[];
}
