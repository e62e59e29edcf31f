import { enhance } from './enhance.js';
import { setUpTryOut } from './try-out.js';

/** The origin of the commands if the installation has no PUBLIC_URL. */
const EXAMPLE_ORIGIN = 'https://push.example.org';

enhance(document);
setUpTryOut();
for (const command of document.querySelectorAll('.curl pre'))
  command.textContent = command.textContent.replace(EXAMPLE_ORIGIN, location.origin);
openTarget();
addEventListener('hashchange', openTarget);

/** Opens the operation or schema that the fragment names, also where the browser does not. */
function openTarget(): void {
  const details = document.getElementById(location.hash.slice(1))?.closest('details');
  if (details) details.open = true;
}
