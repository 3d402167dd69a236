import type { Logger } from "pino";
import { createContext, data } from "react-router";
import type { RouterContextProvider } from "react-router";

import type { Auth } from "./auth.server.ts";
import type { Bus } from "./bus.server.ts";
import type { Config } from "./config.server.ts";
import type { Db, Engine } from "./database.server.ts";
import type { Files } from "./files.server.ts";
import type { Jobs } from "./jobs.server.ts";
import type { Limits } from "./limits.server.ts";
import type { MailService } from "./mail.server.ts";
import type { Pictures } from "./pictures.server.ts";
import type { SiteContent } from "./site-content.server.ts";
import type { Theme } from "./theme-cookie.ts";
import type { ToastMessage } from "./toast.server.ts";

/** Everything a page or route may lean on. Made once in server/services.ts, or by a test for itself. */
export type Services = {
  config: Config;
  log: Logger;
  db: Db;
  engine: Engine;
  auth: Auth;
  mail: MailService;
  jobs: Jobs;
  bus: Bus;
  limits: Limits;
  counter: Counter;
  files: Files;
  /** What is costly to make, made once: drawn pictures, the texts of the sitemap. */
  pictures: Pictures;
  /** What the operator says of themselves and of their installation. */
  content: SiteContent;
  /** Signs a text for one purpose with the installation's secret; the same on every process that shares it. */
  sign: (purpose: string, text: string) => string;
  /** Now, in epoch milliseconds. */
  clock: () => number;
};

export type Counter = {
  /** Adds one in memory; written with the next batch, at most half a second later. */
  count(event: CountEvent): void;
  flush(): Promise<void>;
};

export type CountEvent = {
  /** `card:<id>` or `profile:<user id>`. */
  subject: string;
  kind: "visit" | "click" | "save";
  /** How the visitor came: "qr", "link" …, or "" when the address says nothing. */
  source: string;
  /** The link that was clicked, or "". */
  target: string;
};

export type Viewer = { id: string; email: string; name: string; isConfirmed: boolean };

/** What is known of one request before the router sees it. */
export type RequestFacts = {
  id: string;
  /** The visitor's network address, for limits alone: never stored, never logged. */
  address: string;
  nonce: string;
  viewer: Viewer | undefined;
  /** Whether the document runs our scripts at once; set when it is rendered. */
  isHydrated: boolean;
  /** Texts of the inline scripts of a document that the browser runs when it is idle; set when it is rendered. */
  scripts: string[];
  theme: Theme;
  /** What an earlier answer wanted to say on the page where the person arrives. */
  toast: ToastMessage | undefined;
  isToastTaken: boolean;
  /** Set by the loader of a page that may be kept in the page cache. */
  publicPage?: PublicPageFacts;
};

export type PublicPageFacts = {
  /** Whose save drops it; "site" for the pages that are nobody's. */
  ownerId: string;
  /** What its visits are counted for. Nothing is counted without one. */
  subject?: string | undefined;
  /** From this moment on (epoch milliseconds) the page says something else, though nobody saved. */
  endsAt?: number | undefined;
  /** Names in the query that make it say something else: asked with one of them, it is made fresh. */
  asks?: readonly string[] | undefined;
  /** One page for each theme. */
  hasTheme?: boolean | undefined;
};

export const servicesContext = createContext<Services>();
export const requestFacts = createContext<RequestFacts>();

type Context = Readonly<RouterContextProvider>;

export function services(context: Context): Services {
  return context.get(servicesContext);
}

/** The signed-in person who asks, or undefined for a visitor. */
export function viewer(context: Context): Viewer | undefined {
  return context.get(requestFacts).viewer;
}

/** The signed-in person who asks, where nobody else gets. Throws the 401. */
export function member(context: Context): Viewer {
  const person = viewer(context);
  if (!person) throw data(null, { status: 401 });
  return person;
}

export function themeOf(context: Context): Theme {
  return context.get(requestFacts).theme;
}

/** What the log calls this request, for an error page to show. */
export function requestId(context: Context): string {
  return context.get(requestFacts).id;
}

/** The message left for this page; taken once, then it is gone. */
export function takeToast(context: Context): ToastMessage | undefined {
  const facts = context.get(requestFacts);
  facts.isToastTaken = facts.toast !== undefined;
  return facts.toast;
}

/** Says that this answer is the same for every visitor, and whose it is, so that it can be kept and counted. */
export function markPublic(context: Context, facts: PublicPageFacts) {
  context.get(requestFacts).publicPage = facts;
}

/**
 * Says that a page of the site itself is the same for everybody without a session. `asks` are the names in the query that it looks at;
 * from `endsAt` (epoch milliseconds) on it is made anew.
 */
export function markSite(context: Context, facts: Pick<PublicPageFacts, "asks" | "endsAt"> = {}) {
  markPublic(context, { ...facts, ownerId: "site", hasTheme: true });
}
