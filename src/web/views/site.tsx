import type { AnchorHTMLAttributes, ComponentChildren, FormHTMLAttributes } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What every page knows of the installation and of whoever looks at it. */
export interface Site {
  /** Before every path: `""`, or the path under which a proxy shows us. */
  base: string;
  /** Where styles and scripts are. */
  assets: string;
  /** The page's own path. */
  path: string;
  /** Whether it has been looked up who asks; for a page that is not there it has not. */
  isVisitorKnown: boolean;
  /** The e-mail address of whoever is signed in. */
  email?: string;
  maySignUp: boolean;
}

export const SiteContext = createContext<Site>({
  base: '',
  assets: '',
  path: '/',
  isVisitorKnown: false,
  maySignUp: false,
});

export function useSite(): Site {
  return useContext(SiteContext);
}

type LinkProps = Omit<AnchorHTMLAttributes, 'href'> & { to: string };

/** A link to one of our own pages. */
export function Link({ to, ...rest }: LinkProps) {
  const { base, path } = useSite();
  return <a href={base + to} aria-current={path === to ? 'page' : undefined} {...rest} />;
}

type FormProps = Omit<FormHTMLAttributes, 'action' | 'method'> & {
  to: string;
  children: ComponentChildren;
};

/** A form that posts to one of our own pages. */
export function PostForm({ to, ...rest }: FormProps) {
  const { base } = useSite();
  return <form method="post" action={base + to} {...rest} />;
}
