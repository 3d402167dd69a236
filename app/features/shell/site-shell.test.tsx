import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";

import { SiteShell } from "./site-shell.tsx";

test("a visitor is led to the features, the prices and the way in", () => {
  const html = shellAt("/", undefined);
  expect(linksIn(html)).toEqual(
    expect.arrayContaining(["Features /#features", "Pricing /pricing", "Sign In /auth", "Get Started /auth"]),
  );
  expect(html).not.toContain("Sign Out");
});

test("whoever is signed in is led to their profile, and out by a form that is posted", () => {
  const html = shellAt("/", { id: "ada" });
  expect(linksIn(html)).toContain("Profile /u/ada");
  expect(linksIn(html)).not.toContain("Sign In /auth");
  expect(html).toMatch(/<form[^>]* action="\/auth\/sign-out" method="post"><button[^>]*>Sign Out/);
});

test("the menu of a phone has the same links as the header, and needs no script", () => {
  for (const viewer of [undefined, { id: "ada" }]) {
    const html = shellAt("/", viewer);
    const start = html.indexOf('popover="auto"');
    const menu = linksIn(html.slice(start, html.indexOf("</header>"))).toSorted();
    expect(menu).toEqual(linksIn(html.slice(html.indexOf("<nav"), start)).toSorted());
    expect(html).toMatch(/<button[^>]* popovertarget="site-menu"/i);
  }
});

test("the header says where one is; the editors belong to the profile", () => {
  expect(currentIn(shellAt("/pricing", undefined))).toEqual(["Pricing"]);
  for (const path of ["/u/ada", "/profile", "/cards/edit", "/cards/edit/1"]) {
    expect(currentIn(shellAt(path, { id: "ada" }))).toEqual(["Profile"]);
  }
  expect(currentIn(shellAt("/u/bob", { id: "ada" }))).toEqual([]);
});

test("the footer carries the year", () => {
  expect(shellAt("/", undefined)).toMatch(/©.*2026.*Meishi/);
});

function shellAt(path: string, viewer: { id: string } | undefined): string {
  const Site = createRoutesStub([
    {
      id: "root",
      path: "*",
      Component: () => <SiteShell viewer={viewer}>page</SiteShell>,
    },
  ]);
  return renderToStaticMarkup(
    <Site initialEntries={[path]} hydrationData={{ loaderData: { root: { year: 2026, requestId: "r-1" } } }} />,
  );
}

/** "Pricing /pricing" for each link. */
function linksIn(html: string): string[] {
  const links = [...html.matchAll(/<a[^>]* href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
  return links.map(([, href, label]) => `${label} ${href}`);
}

function currentIn(html: string): string[] {
  const header = html.slice(html.indexOf("<header"), html.indexOf('popover="auto"'));
  return [...header.matchAll(/aria-current="page"[^>]*>([^<]+)</g)].map(([, label]) => label ?? "");
}
