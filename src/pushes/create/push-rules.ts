import { Injectable } from '@nestjs/common';
import { FileRules } from '../../files/file-rules.js';
import { MailsService } from '../../mail/mails.service.js';
import { Settings } from '../../settings/settings.js';
import type { CreatePushDto } from './create-push.dto.js';
import type { NewPush } from './new-push.js';
import { newPushFrom } from './new-push.js';
import type { PushKind } from '../push/push-kind.js';

export interface Bounds {
  min: number;
  max: number;
}

/** Values for what a request to create a push does not specify. */
export type PushDefaults = PushRules['defaults'];

/** The limits and defaults of this instance for pushes. */
@Injectable()
export class PushRules {
  readonly days: Bounds;
  readonly views: Bounds;
  readonly enabledKinds: readonly PushKind[];

  constructor(
    private readonly settings: Settings,
    readonly files: FileRules,
    readonly mails: MailsService,
  ) {
    this.days = { min: settings.EXPIRE_AFTER_DAYS_MIN, max: settings.EXPIRE_AFTER_DAYS_MAX };
    this.views = { min: settings.EXPIRE_AFTER_VIEWS_MIN, max: settings.EXPIRE_AFTER_VIEWS_MAX };
    this.enabledKinds = [
      'text',
      ...(settings.ENABLE_FILE_PUSHES ? (['file'] as const) : []),
      ...(settings.ENABLE_URL_PUSHES ? (['url'] as const) : []),
      ...(settings.ENABLE_QR_PUSHES ? (['qr'] as const) : []),
    ];
  }

  /** A validated push, with this instance's defaults. */
  newPushFrom(push: CreatePushDto): NewPush {
    return newPushFrom(push, this.defaults);
  }

  get defaults() {
    return {
      days: this.settings.EXPIRE_AFTER_DAYS_DEFAULT,
      views: this.settings.EXPIRE_AFTER_VIEWS_DEFAULT,
      deletableByViewer: this.settings.DELETABLE_BY_VIEWER_DEFAULT,
      retrievalStep: this.settings.RETRIEVAL_STEP_DEFAULT,
    };
  }
}
