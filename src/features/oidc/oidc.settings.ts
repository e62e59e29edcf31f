import { declareCrossChecks, hasNoEffectWithout, setTogether } from '../../platform/settings/cross-checks.js';
import {
  domains,
  flag,
  issuer,
  line,
  names,
  oneOf,
  scopes,
  wholeNumber,
  word,
} from '../../platform/settings/parsers.js';
import { Setting, shown } from '../../platform/settings/setting.js';

/** How the id and the secret of this installation are sent to the provider of OpenID Connect. */
export type ClientAuthMethod = 'post' | 'basic' | 'basic_raw' | 'none';

export class OidcSettings {
  // Single sign-on

  /**
   * Issuer of a provider of OpenID Connect, as the provider writes it, where people can then sign in:
   * [how](single-sign-on.md). Requires OIDC_CLIENT_ID and PUBLIC_URL.
   */
  @Setting(shown(issuer)) OIDC_ISSUER?: string;
  /** The id of this installation at the provider. */
  @Setting(shown(line(2000))) OIDC_CLIENT_ID?: string;
  /** Its secret there; absent for a public client. White space at its beginning and end is left out. */
  @Setting(line(2000)) OIDC_CLIENT_SECRET?: string;
  /**
   * How id and secret are sent to the provider: in the body (`post`), or with Basic, form-encoded as RFC 6749 says
   * (`basic`) or as they are (`basic_raw`); `none` for a public client. When absent, by the metadata of the provider, and
   * if it refuses that, [once more](single-sign-on.md#settings) in another way.
   */
  @Setting(oneOf('post', 'basic', 'basic_raw', 'none')) OIDC_CLIENT_AUTH?: ClientAuthMethod;
  /** Seconds for all requests to the provider that one step of a sign-in needs; each may take half of them. */
  @Setting(wholeNumber(1, 60)) OIDC_TIMEOUT: number = 15;
  /** Seconds by which the clock of the provider may differ from that of this server. */
  @Setting(wholeNumber(0, 900)) OIDC_CLOCK_TOLERANCE: number = 300;
  /** What the sign-in page calls the provider; when absent, its host; at most 40 characters. */
  @Setting(shown(line(40))) OIDC_NAME?: string;
  /** What the provider is asked for, separated by spaces. */
  @Setting(scopes) OIDC_SCOPES: string = 'openid email profile';
  /** The claim with the groups of a person: a text or a list of texts. */
  @Setting(shown(word)) OIDC_GROUPS_CLAIM: string = 'groups';
  /** Groups, separated by commas: only their members may sign in; when absent, everybody at the provider. */
  @Setting(names) OIDC_ALLOWED_GROUPS: string[] = [];
  /** Domains of email addresses, separated by commas: only people with such an address may sign in; when absent, all. */
  @Setting(domains) OIDC_ALLOWED_DOMAINS: string[] = [];
  /**
   * The group whose members are administrators: at each sign-in its members become administrators, and others no longer
   * are. When absent, the provider does not decide this.
   */
  @Setting(shown(line(255))) OIDC_ADMIN_GROUP?: string;
  /** Whether somebody without an account gets one by signing in. */
  @Setting(flag) OIDC_CREATE_ACCOUNTS: boolean = true;

  /** What pages and audit entries call the provider, if there is one. */
  get providerName(): string | undefined {
    return this.OIDC_ISSUER === undefined ? undefined : (this.OIDC_NAME ?? new URL(this.OIDC_ISSUER).host);
  }
}

declareCrossChecks(OidcSettings, {
  OIDC_ISSUER: setTogether('OIDC_CLIENT_ID'),
  OIDC_CLIENT_SECRET: hasNoEffectWithout('OIDC_ISSUER'),
  OIDC_CLIENT_AUTH: [
    hasNoEffectWithout('OIDC_ISSUER'),
    ({ OIDC_CLIENT_AUTH: method, OIDC_CLIENT_SECRET: secret }) => {
      if (method === undefined || (method === 'none') === (secret === undefined)) return false;
      return secret === undefined
        ? 'must be none unless OIDC_CLIENT_SECRET is set'
        : 'must not be none while OIDC_CLIENT_SECRET is set';
    },
  ],
  OIDC_ADMIN_GROUP: hasNoEffectWithout('OIDC_ISSUER'),
  OIDC_ALLOWED_GROUPS: hasNoEffectWithout('OIDC_ISSUER'),
  OIDC_ALLOWED_DOMAINS: hasNoEffectWithout('OIDC_ISSUER'),
  OIDC_SECOND_FACTOR: hasNoEffectWithout('OIDC_ISSUER'),
  OIDC_TOKENS_FOLLOW: hasNoEffectWithout('OIDC_ISSUER'),
  PUBLIC_URL: ({ OIDC_ISSUER, PUBLIC_URL }) =>
    OIDC_ISSUER !== undefined &&
    PUBLIC_URL === undefined &&
    'is needed when OIDC_ISSUER is set, for the way back from the provider',
  PASSWORD_SIGN_IN: ({ OIDC_ISSUER, PASSWORD_SIGN_IN }) =>
    OIDC_ISSUER === undefined && PASSWORD_SIGN_IN !== 'all' && 'must be all unless OIDC_ISSUER is set',
});
