import { makeCopyButtonsWork } from './copy.js';
import { offerToShow } from './reveal.js';
import { hideSecretsAgain } from './secrets.js';
import { countSelection } from './selection.js';
import { showLocalTimes } from './times.js';

/** Adds the features of a page that need scripts. The page works without them too, less conveniently. */
export function enhance(root: ParentNode): void {
  makeCopyButtonsWork(root);
  hideSecretsAgain(root);
  showLocalTimes(root);
  offerToShow(root);
  countSelection(root);
}
