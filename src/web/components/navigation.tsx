import { Link, useSite, useTexts } from './site.js';

/** Leads from each page of administrators to the others. */
export function AdminNavigation() {
  const t = useTexts();
  return (
    <nav class="tabs" aria-label={t.text('site.administration')}>
      <Link to="/admin">{t.text('overview.title')}</Link>
      <Link to="/admin/accounts">{t.text('admin.accounts')}</Link>
      <Link to="/admin/audit">{t.text('instanceAudit.title')}</Link>
      {useSite().hasWebhooks && <Link to="/admin/webhooks">{t.text('webhooks.title')}</Link>}
    </nav>
  );
}

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
