import { contactAddress } from "#app/features/contact/contact-mail.server.ts";
import type { SiteContent } from "#app/services/config/site-content.server.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import type { StoredData } from "#app/services/features/stored-data.ts";
import type { Services } from "#app/services/http/context.ts";
import { hostCookieName, storageCookieName } from "#app/services/http/cookies.ts";

/** The facts about this installation that our privacy, terms and security texts state. */
export type Installation = {
  operator: SiteContent["operator"];
  /** "cards.example.com" */
  host: string;
  /** Whether uploads are stored in S3 rather than on the server's disk. */
  hasS3: boolean;
  hasMailServer: boolean;
  /** Whether the operator receives messages from /contact. */
  hasContactForm: boolean;
  /** How owners get Premium. */
  premium: PremiumAccess;
  /** Names of the cookies in the browser. */
  sessionCookie: string;
  toastCookie: string;
  deviceCookie: string;
  signUpCookie: string;
  /** The cookies that last until a sign-up, a sign-in, a connection or a form that asks for a proof is finished. */
  stepCookies: string[];
  invitationCookie: string;
  draftCardCookie: string;
  kioskCookie: string;
  themeCookie: string;
  facts: SiteContent["facts"];
  /** What is stored here about people. */
  storedData: readonly StoredData[];
};

type InstallationSources = Pick<Services, "config" | "siteContent" | "features">;

export function describeInstallation({ config, siteContent, features }: InstallationSources): Installation {
  const { baseUrl, s3, smtpUrl, premium } = config;
  return {
    operator: siteContent.operator,
    host: new URL(baseUrl).host,
    hasS3: s3 !== undefined,
    hasMailServer: smtpUrl !== undefined,
    hasContactForm: contactAddress({ config, siteContent }) !== undefined,
    kioskCookie: storageCookieName(baseUrl.startsWith("https:")),
    toastCookie: hostCookieName("meishi.toast", baseUrl.startsWith("https:")),
    deviceCookie: hostCookieName("meishi.device", baseUrl.startsWith("https:")),
    signUpCookie: hostCookieName("meishi.sign_up", baseUrl.startsWith("https:")),
    stepCookies: [
      "sign_up_sent",
      "email_sign_in",
      "challenge",
      "oauth_state",
      "connected",
      "typed",
      ...(config.web3SignIn ? ["wallet"] : []),
    ].map((name) => hostCookieName(`meishi.${name}`, baseUrl.startsWith("https:"))),
    invitationCookie: hostCookieName("meishi.invitation", baseUrl.startsWith("https:")),
    draftCardCookie: hostCookieName("meishi.kept_card", baseUrl.startsWith("https:")),
    themeCookie: hostCookieName("theme", baseUrl.startsWith("https:")),
    sessionCookie: hostCookieName("meishi.session_token", baseUrl.startsWith("https:")),
    premium,
    facts: siteContent.facts,
    storedData: features
      .flatMap(({ storedData }) => storedData ?? [])
      .filter(({ isStored }) => isStored?.(config) ?? true),
  };
}
