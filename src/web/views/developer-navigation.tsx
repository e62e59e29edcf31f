import { Link, useSite } from './site.js';
import { useTexts } from './texts.js';

/** Leads from the API tokens to the webhooks and back. */
export function DeveloperNavigation() {
  const t = useTexts();
  if (!useSite().hasWebhooks) return null;
  return (
    <nav class="tabs" aria-label={t.text('webhooks.navigation')}>
      <Link to="/users/token">{t.text('tokens.title')}</Link>
      <Link to="/users/webhooks">{t.text('webhooks.title')}</Link>
    </nav>
  );
}
