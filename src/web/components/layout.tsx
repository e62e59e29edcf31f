import type { ComponentChildren } from 'preact';
import { directionOf, LANGUAGES } from '../../texts/languages.js';
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
  children: ComponentChildren;
}

type LanguageForm =
  /** The page that shows the same. */
  | { next: string }
  /** What shows this page again, with what it is made of. */
  | { to: string; fields: Record<string, string> };

/** What all pages share: head, header and footer. */
export function Layout(props: LayoutProps) {
  const { title, script, stylesheet, languageForm, isForRecipient = false, children } = props;
  const { assets, path, brand, isGateway } = useSite();
  const t = useTexts();
  return (
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
        <Script name={`${script ?? 'every-page'}.js`} />
      </head>
      <body>
        <a class="skip" href="#main">
          {t.text('site.skip')}
        </a>
        {isForRecipient || isGateway ? <RecipientHeader /> : <Header />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <Footer languageForm={languageForm} />
        <ScriptTexts />
      </body>
    </html>
  );
}

/** A page with a short form, or with a message. */
export function NarrowPage({ isMessage, children, ...page }: LayoutProps & { isMessage?: boolean }) {
  return (
    <Layout {...page}>
      <div class={isMessage ? 'narrow message' : 'narrow'}>
        <h1>{page.title}</h1>
        {children}
      </div>
    </Layout>
  );
}

function Script({ name }: { name: string }) {
  const { assets, integrityOf } = useSite();
  return <script type="module" src={`${assets}/${name}`} integrity={integrityOf(name)} />;
}

function Header() {
  const { isVisitorKnown } = useSite();
  return (
    <header class="site-header">
      <nav aria-label={useTexts().text('site.menu')}>
        <Link to="/" class="brand" {...UNTRANSLATED}>
          <BrandName />
        </Link>
        {isVisitorKnown && <Menu />}
      </nav>
    </header>
  );
}

function RecipientHeader() {
  return (
    <header class="site-header">
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
      <img src={`${assets}/${brand.logo ?? 'favicon.svg'}`} alt="" height="28" />
      {brand.name}
    </>
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

function Menu() {
  const { email, maySignUp } = useSite();
  const main = useMenu('main');
  const t = useTexts();
  if (email === undefined) {
    return (
      <ul>
        <li>
          <Link to="/users/sign_in">{t.text('site.signIn')}</Link>
        </li>
        {maySignUp && (
          <li>
            <Link to="/users/sign_up">{t.text('site.signUp')}</Link>
          </li>
        )}
      </ul>
    );
  }
  return (
    <ul>
      {main.map(({ to, text }) => (
        <li key={to}>
          <Link to={to}>{t.text(text)}</Link>
        </li>
      ))}
      <li>
        <Form to="/users/sign_out">
          <button class="link">{t.text('site.signOut')}</button>
        </Form>
      </li>
    </ul>
  );
}

function Footer({ languageForm }: Pick<LayoutProps, 'languageForm'>) {
  const t = useTexts();
  return (
    <footer class="site-footer">
      <p>{t.text('site.footer')}</p>
      <p>
        <Link to="/how-it-works">{t.text('site.howItWorks')}</Link>
      </p>
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
    <details class="languages">
      <summary aria-label={`${t.text('site.language')}: ${LANGUAGES[t.language].name}`}>
        {LANGUAGES[t.language].name}
      </summary>
      <Form to={to}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {languages.map((code) => (
          <button
            key={code}
            class="link"
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

/** The texts that browser scripts show, as a block of data. */
function ScriptTexts() {
  const html = useTexts().scriptTexts;
  return <script type="application/json" id="texts" dangerouslySetInnerHTML={{ __html: html }} />;
}
