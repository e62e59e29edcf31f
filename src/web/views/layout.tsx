import type { ComponentChildren } from 'preact';
import { Link, PostForm, useSite } from './site.js';

interface LayoutProps {
  title: string;
  /** The name of the page's own script, without its extension. */
  script?: string;
  /** The name of the page's own stylesheet, without its extension. */
  stylesheet?: string;
  children: ComponentChildren;
}

/** What all pages share: head, header and footer. */
export function Layout({ title, script, stylesheet, children }: LayoutProps) {
  const { assets, path, brand } = useSite();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {path === '/' || <meta name="robots" content="noindex, nofollow, noarchive" />}
        <title>{`${title} · ${brand.name}`}</title>
        <link rel="icon" type="image/svg+xml" href={`${assets}/favicon.svg`} />
        <link rel="stylesheet" href={`${assets}/pico.css`} />
        <link rel="stylesheet" href={`${assets}/sealpush.css`} />
        {brand.stylesheet !== undefined && <link rel="stylesheet" href={`${assets}/${brand.stylesheet}`} />}
        {stylesheet !== undefined && <link rel="stylesheet" href={`${assets}/${stylesheet}.css`} />}
        <script type="module" src={`${assets}/${script ?? 'every-page'}.js`} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <footer class="site-footer">
          Sealed before it is stored. Gone when it has been seen, or when its time is over.
          <p>
            <Link to="/how-it-works">How it works</Link>
          </p>
          <Operator />
        </footer>
      </body>
    </html>
  );
}

function Header() {
  const { assets, isVisitorKnown, brand } = useSite();
  return (
    <header class="site-header">
      <nav aria-label="Main">
        <Link to="/" class="brand">
          <img src={`${assets}/${brand.logo ?? 'favicon.svg'}`} alt="" height="28" />
          {brand.name}
        </Link>
        {isVisitorKnown && <Menu />}
      </nav>
    </header>
  );
}

/** Who runs the installation, as far as the operator has said. */
function Operator() {
  const { operator, contact, footer } = useSite().brand;
  return (
    <>
      {footer !== undefined && <p>{footer}</p>}
      {(operator !== undefined || contact !== undefined) && (
        <p>
          {operator !== undefined && `Run by ${operator}. `}
          {contact !== undefined && <a href={contact}>Contact</a>}
        </p>
      )}
    </>
  );
}

function Menu() {
  const { email, maySignUp } = useSite();
  if (email === undefined) {
    return (
      <ul>
        <li>
          <Link to="/users/sign_in">Sign in</Link>
        </li>
        {maySignUp && (
          <li>
            <Link to="/users/sign_up">Sign up</Link>
          </li>
        )}
      </ul>
    );
  }
  return (
    <ul>
      <li>
        <Link to="/pushes">Pushes</Link>
      </li>
      <li>
        <Link to="/users/token">Tokens</Link>
      </li>
      <li>
        <Link to="/users/edit">Account</Link>
      </li>
      <li>
        <PostForm to="/users/sign_out">
          <button class="link">Sign out</button>
        </PostForm>
      </li>
    </ul>
  );
}
