import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";

import { readElements, visibleText } from "#tests/support/app/responses.ts";

import { SiteShell } from "./site-shell.tsx";
import { socialLinks } from "#app/features/shell/shell.server.ts";

test("the header links a visitor to the features, the prices, the login and the sign-up", () => {
  const html = shellAt("/");
  const expected = ["Features /#features", "Pricing /pricing", "Docs /docs", "Sign In /auth"];
  expect(linksIn(html)).toEqual(expect.arrayContaining([...expected, "Get Started /auth?tab=signup"]));
  expect(html).not.toContain("Sign Out");
});

test("a signed-in user finds the main pages in the header, the account in the menu, and signs out by a form", () => {
  const html = shellAt("/", ada);
  const main = ["Home /home", "Cards /cards", "Leads /leads", "Analytics /analytics"];
  const menu = ["Profile /u/ada", "Account /account"];
  const header = html.slice(html.indexOf("<header"), html.indexOf("</header>"));
  expect(linksIn(header).filter((link) => !link.startsWith("Meishi"))).toEqual([...main, ...menu]);
  expect(labelsIn(header)).toContain("My QR /my-qr");
  const form = html.split("<form").find((part) => visibleText(`<form${part}`).includes("Sign Out"));
  expect(form).toContain(' action="/auth/sign-out" method="post"');
  expect(linksIn(shellAt("/", { ...ada, isOperator: true }))).toContain("Admin /admin/users");
});

test("the menu is a popover, which needs no script, and has a visitor's links", () => {
  const html = shellAt("/");
  const start = html.indexOf('id="site-menu"');
  const menu = linksIn(html.slice(start, html.indexOf("</header>"))).toSorted();
  expect(menu).toEqual(linksIn(html.slice(html.indexOf("<nav"), start)).toSorted());
  const button = readElements(html).find(({ attributes }) => attributes["popovertarget"] === "site-menu");
  expect(button?.attributes["aria-label"]).toBe("Menu");
});

test("the links to the leads say how many are unread", () => {
  const unread = (viewer: Viewer) => visibleText(shellAt("/", viewer)).match(/\d+ unread/g);
  expect(unread({ ...ada, unreadLeads: 0 })).toBeNull();
  expect(unread({ ...ada, unreadLeads: 3 })).toEqual(["3 unread"]);
});

test("the logo leads to the landing page, for a signed-in user to their home", () => {
  const logos = (html: string) => html.match(/<a href="[^"]*"(?=[^>]*>(?:(?!<\/a>).)*Meishi<\/span><\/a>)/gs);
  expect(logos(shellAt("/pricing"))).toEqual(Array(3).fill('<a href="/"'));
  expect(logos(shellAt("/pricing", ada))).toEqual(Array(3).fill('<a href="/home"'));
});

test("the header marks the section of the current page", () => {
  const currentAt = (path: string, viewer?: Viewer) => {
    const html = shellAt(path, viewer);
    const current = readElements(html).filter(({ attributes }) => attributes["aria-current"] === "page");
    return [...new Set(current.map(({ text }) => text))];
  };
  expect([currentAt("/pricing"), currentAt("/docs")]).toEqual([["Pricing"], ["Docs"]]);
  for (const path of ["/u/ada", "/profile"]) expect(currentAt(path, ada)).toEqual(["Profile"]);
  for (const path of ["/account", "/account/sessions", "/webhooks/new"])
    expect(currentAt(path, ada)).toEqual(["Account"]);
  for (const path of ["/cards", "/cards/edit", "/cards/edit/1", "/share/card/1"])
    expect(currentAt(path, ada)).toEqual(["Cards"]);
  expect([currentAt("/home", ada), currentAt("/leads/1", ada)]).toEqual([["Home"], ["Leads"]]);
  expect(currentAt("/u/bob", ada)).toEqual([]);
});

test("the footer has the year, the header's links, the legal pages, and three icons: the operator's accounts or what there is to read", () => {
  const html = footerOf(shellAt("/"));
  expect(visibleText(html)).toContain("© 2026 Meishi");
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
  const accounts = (footer: string) =>
    readElements(footer).flatMap(({ tag, attributes }) =>
      tag === "a" && attributes["aria-label"] ? [[attributes["aria-label"], attributes["href"]]] : [],
    );
  const pages = [
    ["Documentation", "/docs"],
    ["Status of this site", "/status"],
  ];
  expect(accounts(html)).toEqual(pages);
  const sourceUrl = "https://code.example/meishi";
  expect(socialLinks([], sourceUrl).map(({ name, url }) => [name, url])).toEqual([
    ["Source code", sourceUrl],
    ...pages,
  ]);
  const own = [
    { service: "GitHub", url: "https://github.com/ada" },
    { service: "Mastodon", url: "https://mastodon.example/@ada" },
  ];
  expect(accounts(footerOf(shellAt("/", undefined, own)))).toEqual(own.map(({ service, url }) => [service, url]));
  expect(socialLinks(own).map(({ icon }) => icon)).toEqual(["github", "globe"]);
});

test("the theme is a form without JavaScript, with the current choice marked", () => {
  const forms = shellAt("/pricing").match(/<form[^>]* action="\/theme".*?<\/form>/gs) ?? [];
  expect(forms).toHaveLength(2);
  for (const form of forms) {
    expect(form).toContain('name="returnTo" value="/pricing"');
    const buttons = readElements(form).flatMap(({ tag, attributes }) => (tag === "button" ? [attributes] : []));
    expect(buttons.filter(({ name }) => name === "theme")).toHaveLength(3);
    expect(buttons.filter((button) => button["aria-pressed"] === "true").map(({ value }) => value)).toEqual(["light"]);
  }
});

type Viewer = { id: string; handle: string; unreadLeads?: number; isOperator?: boolean };

const ada: Viewer = { id: "ada", handle: "" };

function shellAt(path: string, viewer?: Viewer, social: Parameters<typeof socialLinks>[0] = []): string {
  const Component = () => (
    <SiteShell viewer={viewer} social={socialLinks(social)}>
      page
    </SiteShell>
  );
  const Site = createRoutesStub([{ id: "root", path: "*", Component }]);
  const loaderData = { root: { year: 2026, requestId: "r-1", theme: "light" } };
  return renderToStaticMarkup(<Site initialEntries={[path]} hydrationData={{ loaderData }} />);
}

/** "Pricing /pricing" for each link with a text. */
function linksIn(html: string): string[] {
  return readElements(html).flatMap(({ tag, text, attributes }) =>
    tag === "a" && text ? [`${text} ${attributes["href"]}`] : [],
  );
}

/** The same of each link with a label instead of a text. */
function labelsIn(html: string): string[] {
  return readElements(html).flatMap(({ tag, attributes }) =>
    tag === "a" && attributes["aria-label"] ? [`${attributes["aria-label"]} ${attributes["href"]}`] : [],
  );
}

function footerOf(html: string): string {
  return html.slice(html.indexOf("<footer"));
}
