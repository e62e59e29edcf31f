import type { TextKey } from '../../texts/text-parameters.js';
import type { MenuName } from './site.js';
import { Link, useMenu, useTexts } from './site.js';

/** The headline of all pages of administrators, and the tabs that lead from each to the others. */
export function AdministrationHeading() {
  return <HeadingWithTabs heading="site.administration" menu="administration" />;
}

/** The headline of API tokens and of what else there is for programs, and their tabs. */
export function ProgramsHeading() {
  const [only, ...others] = useMenu('programs');
  const t = useTexts();
  if (only && others.length === 0) return <h1>{t.text(only.text)}</h1>;
  return <HeadingWithTabs heading="site.programs" menu="programs" />;
}

function HeadingWithTabs({ heading, menu }: { heading: TextKey; menu: MenuName }) {
  const t = useTexts();
  return (
    <>
      <h1>{t.text(heading)}</h1>
      <nav class="tabs" aria-label={t.text(heading)}>
        {useMenu(menu).map(({ to, text }) => (
          <Link key={to} to={to}>
            {t.text(text)}
          </Link>
        ))}
      </nav>
    </>
  );
}
