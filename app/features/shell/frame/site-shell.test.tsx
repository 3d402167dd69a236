import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";

import { SiteShell } from "./site-shell.tsx";
import { socialLinks } from "#app/features/shell/shell.server.ts";

test("the header links a visitor to the features, the prices, the login and the sign-up", () => {
  const html = shellAt("/", undefined);
  expect(linksIn(html)).toEqual(
    expect.arrayContaining([
      "Features /#features",
      "Pricing /pricing",
      "Docs /docs",
      "Sign In /auth",
      "Get Started /auth?tab=signup",
    ]),
  );
  expect(html).not.toContain("Sign Out");
});

test("the header links a signed-in user to the profile and account, and signs out by a form", () => {
  const html = shellAt("/", { id: "ada" });
  expect(linksIn(html)).toEqual(expect.arrayContaining(["Profile /u/ada", "My QR /my-qr", "Account /account"]));
  expect(linksIn(html)).not.toContain("Sign In /auth");
  expect(html).toMatch(/<form[^>]* action="\/auth\/sign-out" method="post"><button[^>]*>Sign Out/);
});

test("the phone menu has the links of the header and needs no JavaScript", () => {
  for (const viewer of [undefined, { id: "ada" }]) {
    const html = shellAt("/", viewer);
    const start = html.indexOf('id="site-menu"');
    const menu = linksIn(html.slice(start, html.indexOf("</header>"))).toSorted();
    expect(menu).toEqual(linksIn(html.slice(html.indexOf("<nav"), start)).toSorted());
    expect(html).toMatch(/<button[^>]* popovertarget="site-menu"/i);
  }
});

test("the menu button of a phone says how many leads are unread", () => {
  const button = (viewer: Partial<Viewer>) =>
    /<button[^>]* popovertarget="site-menu"[^>]*>.*?<\/button>/i.exec(shellAt("/", { id: "ada", ...viewer }))?.[0];
  expect(button({ unreadLeads: 3 })).toMatch(/aria-label="Menu, leads: 3 unread".*>3</);
  for (const none of [{}, { unreadLeads: 0 }])
    expect(button(none)).toMatch(/aria-label="Menu"[^>]*><svg.*<\/svg><\/button>/);
});

test("the logo links to the home page in the header, the menu and the footer", () => {
  const homes = (html: string) => html.match(/<a href="\/"[^>]*>(?:(?!<\/a>).)*Meishi<\/span><\/a>/gs)?.length;
  const html = shellAt("/pricing", undefined);
  expect([homes(html.slice(0, html.indexOf("</header>"))), homes(footerOf(html))]).toEqual([2, 1]);
});

test("the header marks the current page; the editors count as the profile", () => {
  expect(currentIn(shellAt("/pricing", undefined))).toEqual(["Pricing"]);
  expect(currentIn(shellAt("/docs", undefined))).toEqual(["Docs"]);
  expect(currentIn(shellAt("/account", { id: "ada" }))).toEqual(["Account"]);
  for (const path of ["/u/ada", "/profile", "/cards/edit", "/cards/edit/1", "/share/profile"]) {
    expect(currentIn(shellAt(path, { id: "ada" }))).toEqual(["Profile"]);
  }
  expect(currentIn(shellAt("/u/bob", { id: "ada" }))).toEqual([]);
});

test("the footer has the year, the header's links and the legal pages", () => {
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

test("without configured social accounts the footer has none", () => {
  expect(namesIn(footerOf(shellAt("/", undefined)))).toEqual([]);
});

test("configured social accounts are in the footer, with their own icon or a globe", () => {
  const own = [
    { service: "GitHub", url: "https://github.com/ada" },
    { service: "Mastodon", url: "https://mastodon.example/@ada" },
  ];
  expect(socialLinks(own).map(({ icon }) => icon)).toEqual(["github", "globe"]);
  const html = footerOf(shellAt("/", undefined, own));
  expect(namesIn(html)).toEqual(["GitHub", "Mastodon"]);
  expect(html).toContain('href="https://mastodon.example/@ada"');
});

test("the theme is a form without JavaScript, with the current choice marked", () => {
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

type Viewer = { id: string; handle?: string; unreadLeads?: number };

function shellAt(path: string, user: Viewer | undefined, social: Social = []): string {
  const viewer = user && { handle: "", ...user };
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
