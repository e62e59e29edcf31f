import { digestOf } from '../../random/tokens.js';
import { Upload } from '../../files/upload.js';
import { readFiles } from '../../pushes/create/attached-files.js';
import type { CreatePushDto } from '../../pushes/create/create-push.dto.js';
import { readNotices } from '../../pushes/push/notice-events.js';

const KEY = /^[\w-]{22,64}$/;

/**
 * The idempotency key of a form that was sent without a script. It includes the content: a form that was changed after
 * the Back button creates another push, and one that is only sent again does not.
 */
export function formKey(key: unknown, form: CreatePushDto): string | undefined {
  if (typeof key !== 'string' || !KEY.test(key)) return undefined;
  const { files, notify_on, ...options } = form;
  const notices = readNotices(notify_on) ?? []; // the same for no boxes and for none of them
  const sent = readFiles(files);
  const attached = (sent instanceof Upload ? sent.files : sent)?.map(({ name, size }) => [name, size]);
  return digestOf(JSON.stringify([key, options, notices, attached]));
}
