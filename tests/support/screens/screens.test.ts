import { describe, expect, test } from "vitest";

import { listRoutes } from "#tests/support/app/route-table.ts";
import { screens } from "./screens.ts";
import type { ScreenAccounts } from "./accounts.ts";

/** The data that the screen lists read to build their paths. */
const someone = { id: "ada", email: "ada@example.com", card: "one", state: { cookies: [], origins: [] } };
const cast = {
  people: {
    full: someone,
    rtl: someone,
    fresh: someone,
    premium: someone,
    unconfirmed: someone,
    unlucky: someone,
    started: someone,
    changing: someone,
    passwordless: someone,
    coded: someone,
    guarded: someone,
    linked: someone,
    operator: someone,
    waiting: someone,
    blocked: someone,
  },
  kioskPath: "/kiosk/x",
  mailed: {
    notices: "/lead-mails/x",
    noticesOff: "/lead-mails/x",
    forwardToConfirm: "/lead-mails/x",
    forwardConfirmed: "/lead-mails/x",
    forwardRemoved: "/lead-mails/x",
    weeklyMail: "/weekly-mail/x",
    weeklyMailOff: "/weekly-mail/x",
    shared: "/shared/x",
    withdrawn: "/shared/x",
    erased: "/shared/x",
  },
  resetPath: "/reset-password?token=x",
  changePath: "/account/email?token=x",
  undoPath: "/account/email/restore?token=x",
  confirmPath: "/auth/confirm?token=x",
  signInPath: "/auth/link",
  offerCookie: { name: "meishi.connected", value: "x", url: "http://localhost:3000" },
} satisfies ScreenAccounts;

describe("the list of screens", () => {
  const looked = Object.values(screens).flatMap((list) => list(cast).map(({ path }) => path.replace(/[?#].*$/, "")));

  test("has every page of the route table", () => {
    const pages = listRoutes().filter(({ file }) => file.endsWith("-page.tsx"));
    expect(pages.length).toBeGreaterThan(15);
    // They exist where Premium is sold (tests/browser/billing/billing-screens.slow.test.ts) and passes are made (tests/browser/landing/demo-pass.test.ts).
    const others = ["/pricing/subscribe", "/demo-pass"];
    const missing = pages.filter(
      ({ path }) => !others.includes(path) && !looked.some((address) => patternOf(path).test(address)),
    );
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  test("has unique names", () => {
    const names = Object.values(screens).flatMap((list) => list(cast).map(({ name }) => name));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

/** "/u/:id/resume" as a regular expression. */
function patternOf(path: string): RegExp {
  const parts = path.split("/").slice(1);
  const pattern = parts.map((part) =>
    part === "*" ? "/.+" : part.startsWith(":") ? (part.endsWith("?") ? "(?:/[^/]+)?" : "/[^/]+") : `/${part}`,
  );
  return new RegExp(`^${pattern.join("")}$`);
}
