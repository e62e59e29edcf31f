import { setUpCopyButtons } from './copy.js';
import { setUpRevealButtons } from './reveal.js';
import { hideSecretsAgain } from './secrets.js';
import { setUpSelection } from './selection.js';
import { showLocalTimes } from './times.js';

/** Adds the features of a page that need scripts. The page works without them too, less conveniently. */
export function enhance(root: ParentNode): void {
  setUpCopyButtons(root);
  hideSecretsAgain(root);
  showLocalTimes(root);
  setUpRevealButtons(root);
  setUpSelection(root);
}
