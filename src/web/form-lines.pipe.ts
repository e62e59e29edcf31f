import type { PipeTransform } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { PushFields } from '../pushes/push-in-body.js';

const TEXTS = ['payload', 'note'];
const CHECKBOXES = ['deletable_by_viewer', 'retrieval_step'];

/**
 * Undoes what browsers do to a form: a line feed is sent as two characters, though it was typed as one, and an
 * unchecked box is not sent at all.
 */
@Injectable()
export class FormLinesPipe implements PipeTransform<PushFields, PushFields> {
  transform(fields: PushFields): PushFields {
    const result: PushFields = { ...fields };
    for (const name of TEXTS) {
      const text = result[name];
      if (typeof text === 'string') result[name] = text.replace(/\r\n/g, '\n');
    }
    for (const name of CHECKBOXES) result[name] ??= false;
    return result;
  }
}
