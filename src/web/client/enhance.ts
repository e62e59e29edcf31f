import { makeCopyButtonsWork } from './copy.js';
import { hideSecretsAgain } from './secrets.js';
import { tellLocalTimes } from './times.js';

/** Adds to a page what only scripts can do. All of it works without as well, if less comfortably. */
export function enhance(root: ParentNode): void {
  makeCopyButtonsWork(root);
  hideSecretsAgain(root);
  tellLocalTimes(root);
}
