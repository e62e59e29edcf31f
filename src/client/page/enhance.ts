import { setUpCopyButtons } from './copy.js';
import { setUpRevealButtons } from './reveal.js';
import { setUpHideButtons } from './secrets.js';
import { setUpSelection } from './selection.js';
import { showLocalTimes } from './times.js';

/** Adds the features of a page that need scripts. The page works without them too, less conveniently. */
export function enhance(root: ParentNode): void {
  setUpCopyButtons(root);
  setUpHideButtons(root);
  showLocalTimes(root);
  setUpRevealButtons(root);
  setUpSelection(root);
}
