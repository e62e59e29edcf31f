import { UnprocessableEntityException } from '@nestjs/common';
import type { CreatePushDto } from '../../pushes/create/create-push.dto.js';
import { Settings } from '../../settings/settings.js';
import { Problem } from '../../errors/problem.js';

/** Rejects an unencrypted form where the pages only accept what the browser has encrypted. */
export function assertEncrypted({ client_encrypted }: CreatePushDto, { END_TO_END }: Settings): void {
  if (END_TO_END === 'required' && client_encrypted !== true) {
    throw new UnprocessableEntityException({ form: [new Problem('not_encrypted_in_browser')] });
  }
}
