import type { ComponentChildren } from 'preact';
import { directionOf, LANGUAGES } from '../../texts/languages.js';
import { LinkButton } from './button.js';
import { Heading } from './heading.js';
import type { IconName } from './icon.js';
import { Icon, IconDrawings, UsedIcons } from './icon.js';
import type { MenuLink } from './site.js';
import { Data, Form, Link, Sentence, UNTRANSLATED, useMenu, useSite, useTexts } from './site.js';

interface LayoutProps {
  title: string;
  /** The name of the page's own script, without its extension. */
  script?: string;
  /** The name of the page's own stylesheet, without its extension. */
  stylesheet?: string;
  /** How a language is chosen where the address of the page is not enough to show it again. */
  languageForm?: LanguageForm;
  /** Whether to leave out the menu, and links that lead away from the secret. */
  isForRecipient?: boolean;
  /** The page of the menu that it belongs to, where its path does not say so. */
  within?: string;
  /** How wide its column is: of a form, of a list, or of a letter or a short form. */
  width?: 'form' | 'list' | 'letter';
  /** The icons that only its script shows. */
  icons?: readonly IconName[];
  /** What is in the page before everything else, for programs that read it, and is not shown. */
  forPrograms?: ComponentChildren;
  children: ComponentChildren;
}

const WIDTHS = { form: undefined, list: 'wide', letter: 'letter-page' };

type LanguageForm =
  /** The page that shows the same. */
  | { next: string }
  /** What shows this page again, with what it is made of. */
  | { to: string; fields: Record<string, string> };

/** What all pages share: head, header and footer. */
export function Layout(props: LayoutProps) {
  const {
    title,
    script = 'every-page',
    stylesheet,
    languageForm,
    isForRecipient = false,
    width = 'form',
    children,
  } = props;
  const { assets, path, brand, isGateway } = useSite();
  const t = useTexts();
  return (
    <UsedIcons.Provider value={new Set(['alert', ...(props.icons ?? [])])}>
      <html lang={t.language} dir={directionOf(t.language)}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          {(path === '/' && !isGateway) || <meta name="robots" content="noindex, nofollow, noarchive" />}
          <title>{`${title} · ${brand.name}`}</title>
          <link rel="icon" type="image/svg+xml" href={`${assets}/favicon.svg`} />
          <link rel="stylesheet" href={`${assets}/sealpush.css`} />
          {brand.stylesheet !== undefined && <link rel="stylesheet" href={`${assets}/${brand.stylesheet}`} />}
          {stylesheet !== undefined && <link rel="stylesheet" href={`${assets}/${stylesheet}.css`} />}
          <Script name={script} />
        </head>
        <body>
          {props.forPrograms && <div hidden>{props.forPrograms}</div>}
          <a class="skip" href="#main">
            {t.text('site.skip')}
          </a>
          {isForRecipient || isGateway ? <RecipientHeader /> : <Header within={props.within} />}
          <main id="main" tabIndex={-1} class={WIDTHS[width]}>
            {children}
          </main>
          <Footer languageForm={languageForm} isForRecipient={isForRecipient} />
          <ScriptTexts of={script} />
          <IconDrawings />
        </body>
      </html>
    </UsedIcons.Provider>
  );
}

/** A page with a short form, or with a message. */
export function NarrowPage({ children, lede, ...page }: LayoutProps & { lede?: ComponentChildren }) {
  return (
    <Layout width="letter" {...page}>
      <Heading title={page.title} lede={lede} />
      {children}
    </Layout>
  );
}

function Script({ name }: { name: string }) {
  const { assets, integrityOf } = useSite();
  return <script type="module" src={`${assets}/${name}.js`} integrity={integrityOf(`${name}.js`)} />;
}

function Header({ within }: Pick<LayoutProps, 'within'>) {
  const { isVisitorKnown, email } = useSite();
  return (
    <header class="bar">
      <Link to="/" class="brand" aria-current={undefined} {...UNTRANSLATED}>
        <BrandName />
      </Link>
      {isVisitorKnown && (email === undefined ? <SignInMenu /> : <Menu email={email} within={within} />)}
    </header>
  );
}

function RecipientHeader() {
  return (
    <header class="bar">
      <span class="brand" {...UNTRANSLATED}>
        <BrandName />
      </span>
    </header>
  );
}

function BrandName() {
  const { assets, brand } = useSite();
  return (
    <>
      {brand.logo === undefined ? <BrandMark /> : <img src={`${assets}/${brand.logo}`} alt="" height="28" />}
      <span class="name">{brand.name}</span>
    </>
  );
}

/** An envelope in the colour of the brand. */
function BrandMark() {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true">
      <rect class="mark" width="28" height="28" rx="8" />
      <path
        class="mark-line"
        d="M6.5 10.25A1.75 1.75 0 0 1 8.25 8.5h11.5a1.75 1.75 0 0 1 1.75 1.75v8a1.75 1.75 0 0 1-1.75 1.75H8.25a1.75 1.75 0 0 1-1.75-1.75Z"
      />
      <path class="mark-line" d="m6.9 9.7 5.3 4.5M21.1 9.7l-5.3 4.5" />
      <circle class="mark-line" cx="14" cy="15.25" r="2.4" />
    </svg>
  );
}

/** Who runs the installation, as far as the operator has said. */
function Operator() {
  const { operator, contact, footer } = useSite().brand;
  const t = useTexts();
  return (
    <>
      {footer !== undefined && <p>{footer}</p>}
      {(operator !== undefined || contact !== undefined) && (
        <p>
          {operator !== undefined && <Sentence of="site.operator" operator={<Data>{operator}</Data>} />}{' '}
          {contact !== undefined && (
            <a href={contact} rel="noreferrer">
              {t.text('site.contact')}
            </a>
          )}
        </p>
      )}
    </>
  );
}

function SignInMenu() {
  const { maySignUp } = useSite();
  const t = useTexts();
  return (
    <nav class="nav end" aria-label={t.text('site.menu')}>
      <Link to="/users/sign_in">{t.text('site.signIn')}</Link>
      {maySignUp && (
        <LinkButton size="small" isOnlyWide to="/users/sign_up">
          {t.text('site.signUp')}
        </LinkButton>
      )}
    </nav>
  );
}

/** The menu in the header and the one of the account; on phones both are one fold. */
function Menu({ email, within }: { email: string } & Pick<LayoutProps, 'within'>) {
  const t = useTexts();
  const [main, account] = [useMenu('main'), useMenu('account')];
  const name = t.text('site.menu');
  const [first] = main;
  return (
    <>
      <nav class="nav only-wide" aria-label={name}>
        <MenuLinks links={main} within={within} hasIcons={false} />
      </nav>
      <div class="end">
        <details class="menu account only-wide">
          <summary>
            <span class="visually-hidden">{t.text('site.accountMenu')}</span>
            <span class="avatar" aria-hidden="true">
              {[...email][0]?.toUpperCase()}
            </span>
            <Icon name="down" size="small" />
          </summary>
          <div class="menu-list">
            <p class="who">
              <Sentence of="site.signedInAs" email={<Data>{email}</Data>} />
            </p>
            <MenuLinks links={account} within={within} />
            <hr />
            <SignOut />
          </div>
        </details>
        {first && (
          <Link to={first.to} class="btn sm only-phone">
            {first.icon && <Icon name={first.icon} size="small" />}
            {t.text(first.text)}
          </Link>
        )}
        <details class="menu phone-menu only-phone">
          <summary class="btn icon-only" aria-label={name}>
            <Icon name="menu" />
          </summary>
          <nav class="menu-list" aria-label={name}>
            <MenuLinks links={main} within={within} />
            <hr />
            <MenuLinks links={account} within={within} />
            <SignOut />
          </nav>
        </details>
      </div>
    </>
  );
}

interface MenuLinksProps extends Pick<LayoutProps, 'within'> {
  links: MenuLink[];
  hasIcons?: boolean;
}

/** A link is that of the current page also on those below it. */
function MenuLinks({ links, within, hasIcons = true }: MenuLinksProps) {
  const { path } = useSite();
  const current = within ?? path;
  const t = useTexts();
  return (
    <>
      {links.map(({ to, text, icon }) => (
        <Link
          key={to}
          to={to}
          aria-current={current === to || current.startsWith(`${to}/`) ? 'page' : undefined}
        >
          {hasIcons && icon && <Icon name={icon} />}
          {t.text(text)}
        </Link>
      ))}
    </>
  );
}

function SignOut() {
  return (
    <Form to="/users/sign_out">
      <button>
        <Icon name="out" />
        {useTexts().text('site.signOut')}
      </button>
    </Form>
  );
}

/** What leads away from a secret opens in another tab, because the secret may not open again. */
function Footer({ languageForm, isForRecipient }: Pick<LayoutProps, 'languageForm' | 'isForRecipient'>) {
  const t = useTexts();
  return (
    <footer class="foot">
      <Link to="/how-it-works" target={isForRecipient ? '_blank' : undefined}>
        {t.text('site.howItWorks')}
      </Link>
      <Operator />
      <LanguageChoice languageForm={languageForm} />
    </footer>
  );
}

function LanguageChoice({ languageForm }: Pick<LayoutProps, 'languageForm'>) {
  const { base, returnPath, languages } = useSite();
  const t = useTexts();
  const chosen = languageForm ?? (returnPath === undefined ? undefined : { next: returnPath });
  if (chosen === undefined || languages.length < 2) return null;
  const [to, fields] = 'to' in chosen ? [chosen.to, chosen.fields] : ['/language', chosen];
  return (
    <details class="menu">
      <summary aria-label={`${t.text('site.language')}: ${LANGUAGES[t.language].name}`}>
        <Icon name="globe" size="small" />
        {LANGUAGES[t.language].name}
      </summary>
      <Form to={to} class="menu-list">
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {languages.map((code) => (
          <button
            key={code}
            name="language"
            value={code}
            formAction={to === '/language' ? undefined : `${base}${to}?locale=${code}`}
            lang={code}
            dir={directionOf(code)}
            aria-current={code === t.language ? 'true' : undefined}
          >
            {LANGUAGES[code].name}
          </button>
        ))}
      </Form>
    </details>
  );
}

/** The texts that the script of the page shows, as a block of data. */
function ScriptTexts({ of }: { of: string }) {
  const { textsOf } = useSite();
  const html = useTexts().scriptTexts(textsOf(`${of}.js`));
  return <script type="application/json" id="texts" dangerouslySetInnerHTML={{ __html: html }} />;
}
