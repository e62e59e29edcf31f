import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import { Heading } from './heading.js';
import type { MenuName } from './site.js';
import { Link, useMenu, useSite, useTexts } from './site.js';

/** The headline of all pages of administrators, what can be done on this one, and the tabs that lead to the others. */
export function AdministrationHeading({ children }: { children?: ComponentChildren }) {
  return (
    <HeadingWithTabs heading="site.administration" menu="administration">
      {children}
    </HeadingWithTabs>
  );
}

/** The headline of API tokens and of what else there is for programs, and their tabs. */
export function ProgramsHeading() {
  const [only, ...others] = useMenu('programs');
  const t = useTexts();
  if (only && others.length === 0) return <Heading title={t.text(only.text)} />;
  return <HeadingWithTabs heading="site.programs" menu="programs" />;
}

interface HeadingWithTabsProps {
  heading: TextKey;
  menu: MenuName;
  children?: ComponentChildren;
}

function HeadingWithTabs({ heading, menu, children }: HeadingWithTabsProps) {
  const { path, pageOfForm } = useSite();
  const t = useTexts();
  return (
    <>
      <Heading title={t.text(heading)}>{children}</Heading>
      <nav class="tabs" aria-label={t.text(heading)}>
        {useMenu(menu).map(({ to, text }) => (
          <Link key={to} to={to} aria-current={to === path || to === pageOfForm ? 'page' : undefined}>
            {t.text(text)}
          </Link>
        ))}
      </nav>
    </>
  );
}
