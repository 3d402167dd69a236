import { describe, expect, test } from "vitest";

import { listPageRoutes, matchesRoute } from "#tests/support/app/route-table.ts";
import { screens } from "./screens.ts";
import type { ScreenAccounts } from "./accounts.ts";

/** The data that the screen lists read to build their paths. */
const someone = { id: "ada", email: "ada@example.com", card: "one", state: { cookies: [], origins: [] } };
const cast: ScreenAccounts = {
  people: new Proxy({} as ScreenAccounts["people"], { get: () => someone }),
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
};

describe("the list of screens", () => {
  const all = Object.values(screens).flatMap((list) => list(cast));

  test("has every page of the route table: a page that only some can open needs a screen of its own", () => {
    const paths = all.map(({ path }) => path.replace(/[?#].*$/, ""));
    const missing = listPageRoutes().filter((route) => !paths.some((path) => matchesRoute(route, path)));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  test("has unique names", () => {
    const names = all.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
