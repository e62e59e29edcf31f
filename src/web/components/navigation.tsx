import { Link, useSite, useTexts } from './site.js';

/** The headline of all pages of administrators, and the tabs that lead from each to the others. */
export function AdministrationHeading() {
  const t = useTexts();
  return (
    <>
      <h1>{t.text('site.administration')}</h1>
      <nav class="tabs" aria-label={t.text('site.administration')}>
        <Link to="/admin">{t.text('overview.title')}</Link>
        <Link to="/admin/accounts">{t.text('admin.accounts')}</Link>
        <Link to="/admin/groups">{t.text('groups.title')}</Link>
        <Link to="/admin/audit">{t.text('instanceAudit.title')}</Link>
        {useSite().hasWebhooks && <Link to="/admin/webhooks">{t.text('webhooks.title')}</Link>}
      </nav>
    </>
  );
}

/** The headline of API tokens and webhooks, and the tabs of both, if there are webhooks. */
export function DeveloperHeading() {
  const t = useTexts();
  if (!useSite().hasWebhooks) return <h1>{t.text('tokens.title')}</h1>;
  return (
    <>
      <h1>{t.text('webhooks.navigation')}</h1>
      <nav class="tabs" aria-label={t.text('webhooks.navigation')}>
        <Link to="/users/token">{t.text('tokens.title')}</Link>
        <Link to="/users/webhooks">{t.text('webhooks.title')}</Link>
      </nav>
    </>
  );
}
