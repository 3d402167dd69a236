import type { Logger } from "pino";
import { createContext, data } from "react-router";
import type { RouterContextProvider } from "react-router";

import type { OpenApiDocument } from "#app/services/api/openapi-schema.ts";
import type { ApplePush } from "#app/services/http/apple-push/apple-push.server.ts";
import type { ApplePasses } from "#app/services/config/apple-passes.server.ts";
import type { Auth } from "#app/services/auth/auth.server.ts";
import type { HandedOver } from "#app/services/auth/sessions/session-rows.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { Bus } from "#app/services/bus/bus.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import type { Events } from "#app/services/events/events.server.ts";
import type { LiveEvents } from "#app/services/events/live/live-events.server.ts";
import type { DataExport } from "#app/services/features/data-export.ts";
import type { DisplayFile } from "#app/services/features/displayed-file.ts";
import type { FeaturePaths } from "#app/services/features/feature-paths.ts";
import type { StoredData } from "#app/services/features/stored-data.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";
import type { ClockCheck } from "#app/services/jobs/clock-checks.server.ts";
import type { Jobs } from "#app/services/jobs/jobs.server.ts";
import type { Maintenance } from "#app/services/jobs/maintenance-runs.server.ts";
import type { GoogleWalletSetup } from "#app/services/config/google-wallet-account.server.ts";
import type { GoogleWallet } from "#app/services/http/google-wallet/google-wallet.server.ts";
import type { RateLimits } from "./rate-limits.server.ts";
import type { SignText } from "#app/services/base/signed-token.server.ts";
import type { SecretBox } from "#app/services/base/secret-box.server.ts";
import type { FetchPublicFile } from "./public/public-fetch.server.ts";
import type { SendPublicly } from "./public/public-sender.server.ts";
import type { Metrics } from "#app/services/metrics/metrics.server.ts";
import type { MailService } from "#app/services/mail/mail.server.ts";
import type { ImageCache } from "#app/services/images/image-cache.server.ts";
import type { RenderedPages } from "#app/services/pages/rendered-pages.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";
import type { SiteContent } from "#app/services/config/site-content.server.ts";
import type { WorkerPool } from "#app/services/workers/worker-pool.server.ts";
import type { Theme } from "./cookies.ts";
import type { ToastMessage } from "./toast.server.ts";

/** Everything that pages and routes use of the outside world. Created once in server/services.ts, or by a test. */
export type Services = {
  config: Config;
  log: Logger;
  db: Db;
  engine: Engine;
  auth: Auth;
  mail: MailService;
  metrics: Metrics;
  jobs: Jobs;
  maintenance: Maintenance;
  bus: Bus;
  events: Events;
  /** Tells the browsers of an account what happens in it. */
  live: LiveEvents;
  rateLimits: RateLimits;
  /** Loads files from addresses that others chose. */
  fetchPublicFile: FetchPublicFile;
  /** Sends requests to addresses that others chose. */
  sendPublicly: SendPublicly;
  /** Whether `sendPublicly` may send to an address, as far as that is known before its host is resolved. */
  isSendable: (url: string) => boolean;
  counter: Counter;
  files: FileStorage;
  /** Caches what is expensive to make: generated images and the sitemap. */
  imageCache: ImageCache;
  /** Runs what would block the event loop. */
  workers: WorkerPool;
  /** Where Premium is sold; undefined: it isn't. */
  stripe: StripeApi | undefined;
  /** What Apple Wallet passes are signed with. */
  applePasses: ApplePasses;
  /** Says to devices that a pass has changed; undefined where passes aren't configured. */
  applePush: ApplePush | undefined;
  /** Whether Google Wallet is configured, and what is wrong with its settings. */
  googleWalletSetup: GoogleWalletSetup;
  /** Issues passes in Google Wallet; undefined where it isn't configured. */
  googleWallet: GoogleWallet | undefined;
  /** Finished public pages in the database. */
  renderedPages: RenderedPages;
  /** The operator's texts and facts, from DATA_DIR/content. */
  siteContent: SiteContent;
  /** The paths that each feature declares, and what it stores about people. */
  features: readonly (FeaturePaths & { storedData?: readonly StoredData[] })[];
  /** What the API at `/api/v1` offers, from the resources that each feature declares. Made by the first call. */
  apiDocument: () => OpenApiDocument;
  /** What each feature adds to the export of an account's data. */
  dataExports: readonly DataExport[];
  /** What each feature does when a file is displayed, by kind of upload. */
  displays: Readonly<Record<string, DisplayFile>>;
  /** Encrypts texts of owners for one purpose with the installation's secret. */
  secretBox: (purpose: string) => SecretBox;
  /** Signs a text for one purpose with the installation's secret. All processes of an installation sign alike. */
  sign: SignText;
  /**
   * Signs what phones and programs keep for years and what leads to nothing that isn't public: tokens of passes, the public key of the API
   * for apps. A rotation of the secret doesn't change it.
   */
  signForever: SignText;
  /** The current time in epoch milliseconds. */
  clock: () => number;
  /** How that compares with the database's time. */
  clockCheck: ClockCheck;
  /** The built program that makes a backup; undefined in development, where there is none. */
  backupProgram: string | undefined;
};

export type Counter = {
  /**
   * Counts one event in memory. It is written with the next batch, usually within a second. The request says where the visitor came from
   * and on what kind of device; nothing else of it is used, and a `visitor` only counts the first visit of a day.
   */
  count(event: CountEvent, request?: CountedRequest): void;
  flush(): Promise<void>;
};

export type CountEvent = {
  ownerId: string;
  /** `card:<id>` or `profile:<user id>`. */
  subject: string;
  kind: "visit" | "click" | "save" | "wallet" | "lead";
  /** Where the visitor came from: "qr", "link" …, or "": then the request says it, if its URL or that of the page before does. */
  source: string;
  /** The link that was clicked, or "". */
  target: string;
};

/** Header names in lower case. */
export type CountedRequest = {
  headers: Record<string, string | string[] | undefined>;
  /** The query string. */
  search: string;
  /** The visitor's network address: in memory only, to tell the first visit of a day from later ones. */
  address?: string | undefined;
};

/** The state of one request, created before the router runs. */
export type RequestState = {
  id: string;
  /** The visitor's network address, used for rate limits and to tell visitors apart in the counts of a day: never stored, never logged. */
  address: string;
  nonce: string;
  viewer: Viewer | undefined;
  /** The browser was handed over to visitors; then there is no viewer. */
  handedOver: HandedOver | undefined;
  /** Whether the document loads our scripts immediately. Set when it is rendered. */
  isHydrated: boolean;
  /** The inline scripts of a document that is hydrated when the browser is idle. Set when it is rendered. */
  scripts: string[];
  /** The inline script of a document of the sign-in pages. Set when it is rendered. */
  inlineScript: string | undefined;
  /** The stylesheet of a public page as it is sent to visitors. Set when it is rendered. */
  publicStyle?: string;
  /** An inline style of this page, in addition to the one that all public pages have. */
  inlineStyle?: string;
  theme: Theme;
  /** The message that an earlier response left for this page. */
  toast: ToastMessage | undefined;
  isToastTaken: boolean;
  /** A write with an unknown outcome, or a database that can't be reached: the response isn't the router's usual error page. */
  failure?: Error;
  /** Set when the request failed because of that: the router responds with its page for a 503, whatever the path. */
  isUnavailable?: boolean;
  /** Set by the loader of a page that may be cached and whose visits are counted. */
  publicPage?: PublicPageOptions;
};

/** The environment of Hono's middleware and handlers. */
export type AppEnv = {
  Variables: {
    state: RequestState;
    /** Whether the response comes from the page cache, which means its body is already compressed. */
    isCached?: boolean;
    /** Whether the client expects JSON, also when the handler crashes. */
    isJson?: boolean;
  };
  Bindings: { incoming?: { socket: { remoteAddress?: string; destroy?: () => unknown } } };
};

export type PublicPageOptions = {
  /** The owner whose saves invalidate the page; "site" for pages without an owner. */
  ownerId: string;
  /** The subject of its visits, as in `CountEvent`. Without one, visits are not counted. */
  subject?: string | undefined;
  /** What a request for it is counted as, by default a visit. */
  countsAs?: CountEvent["kind"] | undefined;
  /** The page changes at this time (epoch milliseconds) even if no one saves. */
  endsAt?: number | undefined;
  /** `profile.pages_version`, read with the first data of the page or before. Without one, the page is not stored in the database. */
  pagesVersion?: string | undefined;
  /** Query parameters that change the page. A request with one of them is never served from the cache. */
  queryParameters?: readonly string[] | undefined;
  /** Whether it's a file, such as a pass: cached in memory only, sent as it is, and with its own ETag. */
  isFile?: boolean | undefined;
  /** Whether to cache one page per theme. */
  variesByTheme?: boolean | undefined;
};

export const servicesContext = createContext<Services>();
export const requestContext = createContext<RequestState>();

type Context = Readonly<RouterContextProvider>;

export function services(context: Context): Services {
  return context.get(servicesContext);
}

/** The signed-in user, or undefined for a visitor. */
export function viewer(context: Context): Viewer | undefined {
  return context.get(requestContext).viewer;
}

/** Returns the signed-in user, or throws a 401. */
export function requireUser(context: Context): Viewer {
  const user = viewer(context);
  if (!user) throw data(null, { status: 401 });
  return user;
}

export function requestTheme(context: Context): Theme {
  return context.get(requestContext).theme;
}

/** The id of the request in the log, to show on an error page. */
export function requestId(context: Context): string {
  return context.get(requestContext).id;
}

/** Returns the message left for this page, and removes it. */
export function takeToast(context: Context): ToastMessage | undefined {
  const state = context.get(requestContext);
  state.isToastTaken = state.toast !== undefined;
  return state.toast;
}

/** Adds the inline style of a page to its Content-Security-Policy. */
export function allowInlineStyle(context: Context, css: string) {
  context.get(requestContext).inlineStyle = css;
}

/** Declares that the page is the same for every visitor, so that it can be cached and its visits counted. */
export function markPublicPage(context: Context, page: PublicPageOptions) {
  context.get(requestContext).publicPage = page;
}

/** Declares that a page of the site itself is the same for every visitor without a session. */
export function markSitePage(context: Context, page: Pick<PublicPageOptions, "queryParameters" | "endsAt"> = {}) {
  markPublicPage(context, { ...page, ownerId: "site", variesByTheme: true });
}
