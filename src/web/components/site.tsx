import type { AnchorHTMLAttributes, ComponentChildren, FormHTMLAttributes, VNode } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReauthenticationState } from '../../auth/second-factor/reauthentication.service.js';
import type { PasswordSignIn } from '../../platform/settings/settings.js';
import type { Parts, Translator } from '../../texts/translator.js';
import { ENGLISH } from '../../texts/translator.js';
import type { Language } from '../../texts/languages.js';
import { LANGUAGE_CODES } from '../../texts/languages.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Banner } from './banner.js';
import { EnclosingForm, useForm } from './filled-form.js';
import type { IconName } from './icon.js';

/** What every page knows about the installation and its visitor. */
export interface Site {
  /** The prefix of every path: `""`, or the path under which a proxy serves the application. */
  base: string;
  /** The URL path of styles and scripts. */
  assets: string;
  /** The attribute `integrity` of a script. */
  integrityOf: (name: string) => string | undefined;
  /** The texts that a script shows. */
  textsOf: (name: string) => readonly TextKey[];
  /** The page's own path. */
  path: string;
  /**
   * Where the choice of a language leads back to; undefined for the response to a form, which cannot be shown again.
   */
  returnPath?: string;
  texts: Translator;
  /** Those that visitors can choose. */
  languages: readonly Language[];
  /** Whether the visitor's session has been looked up; for a page that does not exist it has not. */
  isVisitorKnown: boolean;
  /** The email address of the signed-in user. */
  email?: string;
  isAdministrator?: boolean;
  /** For signed-in users, the path of the page that the form was on, for the response to one; otherwise its own. */
  pageOfForm?: string;
  /** What forms that change what matters to the account need besides their own fields. */
  reauthentication?: ReauthenticationState;
  /** Where browsers can use passkeys of this installation, if anywhere. */
  passkeyOrigin?: string;
  maySignUp: boolean;
  /** What the provider of OpenID Connect is called, if people can sign in there. */
  provider?: string;
  passwordSignIn: PasswordSignIn;
  /** Whether the installation sends mails. */
  sendsMail: boolean;
  menus: Menus;
  /** Whether the visitor may ask for mails about pushes. */
  mayAskForMails: boolean;
  /** Whether this process serves only the pages of recipients. */
  isGateway: boolean;
  brand: SiteBrand;
}

/** In the header, below the account there, beside the headline of the front page, and the tabs of two groups of pages. */
export const MENUS = ['main', 'account', 'home', 'programs', 'administration'] as const;

export type MenuName = (typeof MENUS)[number];

export interface MenuLink {
  to: string;
  text: TextKey;
  icon?: IconName;
  forAdministrators: boolean;
}

export type Menus = Record<MenuName, MenuLink[]>;

/** How the operator has the pages look. */
export interface SiteBrand {
  /** The name in the header and in titles. */
  name: string;
  /** The name of the operator, if the operator gave one. */
  operator?: string;
  /** The URL of the contact: a `mailto:` or https URL. */
  contact?: string;
  footer?: string;
  /** The names of the assets, if they differ from ours. */
  logo?: string;
  stylesheet?: string;
}

export const SiteContext = createContext<Site>({
  base: '',
  assets: '',
  integrityOf: () => undefined,
  textsOf: () => [],
  path: '/',
  texts: ENGLISH,
  languages: LANGUAGE_CODES,
  isVisitorKnown: false,
  maySignUp: false,
  passwordSignIn: 'all',
  sendsMail: false,
  menus: { main: [], account: [], home: [], programs: [], administration: [] },
  mayAskForMails: false,
  isGateway: false,
  brand: { name: 'Sealpush' },
});

export function useSite(): Site {
  return useContext(SiteContext);
}

/** The links of a menu that the visitor may see. */
export function useMenu(name: MenuName): MenuLink[] {
  const { menus, isAdministrator } = useSite();
  return menus[name].filter(({ forAdministrators }) => !forAdministrators || isAdministrator);
}

type LinkProps = Omit<AnchorHTMLAttributes, 'href'> & { to: string };

/** A link to one of our own pages. */
export function Link({ to, ...rest }: LinkProps) {
  const { base, path } = useSite();
  return <a href={base + to} aria-current={path === to ? 'page' : undefined} {...rest} />;
}

type FormProps = Omit<FormHTMLAttributes, 'action' | 'method'> & {
  to: string;
  /** What its fields are below in the request, as `push` in `push[payload]`. */
  under?: string;
  /** The path of a form that it is shown in place of, and whose errors it shows. */
  inPlaceOf?: string;
  children: ComponentChildren;
};

/** A form that posts to one of our own pages. */
export function Form({ to, under, inPlaceOf = to, ...rest }: FormProps) {
  const { base } = useSite();
  return (
    <EnclosingForm.Provider value={{ ...useForm(to, inPlaceOf), under }}>
      <form method="post" action={base + to} {...rest} />
    </EnclosingForm.Provider>
  );
}

/** What may be given to the outermost element of a component. */
export interface BoxAttributes {
  id?: string;
  hidden?: boolean;
  role?: 'alert' | 'group' | 'status';
  [name: `aria-${string}` | `data-${string}`]: string | boolean | undefined;
}

/** The texts in the language of the page. */
export function useTexts(): Translator {
  return useSite().texts;
}

/** A text with elements in it: `{name}` is one, and `<name>content</name>` is built by a function. */
export function Sentence<Key extends TextKey>({ of, ...parts }: { of: Key } & Parts<Key, VNode>) {
  return <>{useTexts().parts<VNode, Key>(of, parts as unknown as Parts<Key, VNode>)}</>;
}

/** The words of a text that come first and say what it is about. */
export const BOLD = (content: ComponentChildren): VNode => <strong>{content}</strong>;

/**
 * For an element whose text is data: browsers do not translate it. Preact leaves `translate={false}` out, and its types
 * have no other value.
 */
export const UNTRANSLATED = { translate: 'no' } as object;

/** What somebody has typed or a program has made, within texts of ours: not translated, and in a direction of its own. */
export function Data({ children }: { children: ComponentChildren }) {
  return <bdi {...UNTRANSLATED}>{children}</bdi>;
}

interface FlashMessageProps {
  text?: TextKey;
  count?: number;
  /** Green is done, grey tells. */
  kind?: 'done' | 'info';
}

/** What was just done, for a handler with the parameter `@Flash` or, if the text has a number, with `doneIn`. */
export function FlashMessage({ text, count = 1, kind = 'done' }: FlashMessageProps) {
  const t = useTexts();
  if (text === undefined || count === 0) return null;
  const [, first, rest] = /^(.+?[.!?](?= )|.+?。)(.+)$/s.exec(t.text(text, { count })) ?? [];
  return (
    <Banner kind={kind} role="status">
      {first === undefined ? (
        t.text(text, { count })
      ) : (
        <>
          <strong>{first}</strong>
          {rest}
        </>
      )}
    </Banner>
  );
}
