import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";

import { SiteShell } from "./site-shell.tsx";
import { socialLinks } from "./social-links.ts";

test("a visitor is led to the features, the prices and the way in", () => {
  const html = shellAt("/", undefined);
  expect(linksIn(html)).toEqual(
    expect.arrayContaining([
      "Features /#features",
      "Pricing /pricing",
      "Docs /docs",
      "Sign In /auth",
      "Get Started /auth",
    ]),
  );
  expect(html).not.toContain("Sign Out");
});

test("whoever is signed in is led to their profile and account, and out by a form that is posted", () => {
  const html = shellAt("/", { id: "ada" });
  expect(linksIn(html)).toEqual(expect.arrayContaining(["Profile /u/ada", "Account /account"]));
  expect(linksIn(html)).not.toContain("Sign In /auth");
  expect(html).toMatch(/<form[^>]* action="\/auth\/sign-out" method="post"><button[^>]*>Sign Out/);
});

test("the menu of a phone has the same links as the header, and needs no script", () => {
  for (const viewer of [undefined, { id: "ada" }]) {
    const html = shellAt("/", viewer);
    const start = html.indexOf('id="site-menu"');
    const menu = linksIn(html.slice(start, html.indexOf("</header>"))).toSorted();
    expect(menu).toEqual(linksIn(html.slice(html.indexOf("<nav"), start)).toSorted());
    expect(html).toMatch(/<button[^>]* popovertarget="site-menu"/i);
  }
});

test("the brand leads home from the header, the menu and the footer", () => {
  const homes = (html: string) => html.match(/<a href="\/"[^>]*>(?:(?!<\/a>).)*Meishi<\/span><\/a>/gs)?.length;
  const html = shellAt("/pricing", undefined);
  expect([homes(html.slice(0, html.indexOf("</header>"))), homes(footerOf(html))]).toEqual([2, 1]);
});

test("the header says where one is; the editors belong to the profile", () => {
  expect(currentIn(shellAt("/pricing", undefined))).toEqual(["Pricing"]);
  expect(currentIn(shellAt("/docs", undefined))).toEqual(["Docs"]);
  expect(currentIn(shellAt("/account", { id: "ada" }))).toEqual(["Account"]);
  for (const path of ["/u/ada", "/profile", "/cards/edit", "/cards/edit/1", "/share/profile"]) {
    expect(currentIn(shellAt(path, { id: "ada" }))).toEqual(["Profile"]);
  }
  expect(currentIn(shellAt("/u/bob", { id: "ada" }))).toEqual([]);
});

test("the footer carries the year, the links of the header, and what has to be found", () => {
  const html = footerOf(shellAt("/", undefined));
  expect(html).toMatch(/©.*2026.*Meishi/);
  expect(linksIn(html)).toEqual([
    "Features /#features",
    "Pricing /pricing",
    "Docs /docs",
    "Credits /credits",
    "Status /status",
    "Contact /contact",
    "Security /security-overview",
    "Privacy /privacy",
    "Terms /terms",
  ]);
});

test("where the operator named no networks, the three of the footer say that they only hold their place", () => {
  const html = footerOf(shellAt("/", undefined));
  expect(namesIn(html)).toEqual(["GitHub (placeholder)", "LinkedIn (placeholder)", "X (placeholder)"]);
});

test("the operator's own networks take that place, each with the drawing it has, or a globe", () => {
  const own = [
    { service: "GitHub", url: "https://github.com/ada" },
    { service: "Mastodon", url: "https://mastodon.example/@ada" },
  ];
  expect(socialLinks(own).map(({ icon }) => icon)).toEqual(["github", "globe"]);
  const html = footerOf(shellAt("/", undefined, own));
  expect(namesIn(html)).toEqual(["GitHub", "Mastodon"]);
  expect(html).toContain('href="https://mastodon.example/@ada"');
});

test("the theme is chosen by a form that needs no script, and the choice that holds is marked", () => {
  const html = shellAt("/pricing", undefined);
  const forms = html.match(/<form[^>]* action="\/theme".*?<\/form>/gs) ?? [];
  expect(forms).toHaveLength(2);
  for (const form of forms) {
    expect(form).toContain('name="returnTo" value="/pricing"');
    const buttons = form.match(/<button[^>]*>/g) ?? [];
    expect(buttons.filter((button) => button.includes('name="theme"'))).toHaveLength(3);
    const marked = buttons.filter((button) => button.includes('aria-pressed="true"'));
    expect(marked.join()).toMatch(/^<button[^>]* value="light"[^>]*>$/);
  }
});

type Social = Parameters<typeof socialLinks>[0];

function shellAt(path: string, viewer: { id: string } | undefined, social: Social = []): string {
  const Site = createRoutesStub([
    {
      id: "root",
      path: "*",
      Component: () => (
        <SiteShell viewer={viewer} social={socialLinks(social)}>
          page
        </SiteShell>
      ),
    },
  ]);
  return renderToStaticMarkup(
    <Site
      initialEntries={[path]}
      hydrationData={{ loaderData: { root: { year: 2026, requestId: "r-1", theme: "light" } } }}
    />,
  );
}

/** "Pricing /pricing" for each link. */
function linksIn(html: string): string[] {
  const links = [...html.matchAll(/<a[^>]* href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
  return links.map(([, href, label]) => `${label} ${href}`);
}

function footerOf(html: string): string {
  return html.slice(html.indexOf("<footer"));
}

function namesIn(html: string): string[] {
  return [...html.matchAll(/<a[^>]* aria-label="([^"]+)"/g)].map(([, name]) => name ?? "");
}

function currentIn(html: string): string[] {
  const header = html.slice(html.indexOf("<header"), html.indexOf('id="site-menu"'));
  return [...header.matchAll(/aria-current="page"[^>]*>([^<]+)</g)].map(([, label]) => label ?? "");
}
