import { UnprocessableEntityException } from '@nestjs/common';
import type { CreatePushDto } from '../../pushes/create/create-push.dto.js';
import { Settings } from '../../settings/settings.js';

export const NOT_ENCRYPTED = 'Secrets must be encrypted in the browser here. No push was created.';

/** Rejects an unencrypted form where the pages only accept what the browser has encrypted. */
export function assertEncrypted({ client_encrypted }: CreatePushDto, { END_TO_END }: Settings): void {
  if (END_TO_END === 'required' && client_encrypted !== true) {
    throw new UnprocessableEntityException({ form: [NOT_ENCRYPTED] });
  }
}
