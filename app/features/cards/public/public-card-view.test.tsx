import { gzipSync } from "node:zlib";

import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { qrPath } from "#app/features/drawing/qr-code.ts";
import { visitorScript } from "#app/features/sharing/visitor-script.ts";
import { WalletBadges } from "#app/features/wallet/public/wallet-badges.tsx";
import { readElements, visibleText } from "#tests/support/app/responses.ts";
import { publicCss } from "#tests/support/fixtures/public-css.ts";

import type { PublicCardViewModel } from "#app/features/cards/card-view-model.ts";

import { PublicCardView } from "./public-card-view.tsx";

const demo: PublicCardViewModel = {
  id: "7f3c1f9e-7c56-4f0e-9e6a-2f1c7a0b9d11",
  displayName: "Demo User",
  profession: "Product designer",
  company: "Example Studio",
  position: "Head of design",
  yearsExperience: 8,
  email: "demo@example.com",
  phone: "+1 555 0100",
  links: [
    { id: "link-1", name: "LinkedIn", url: "https://www.linkedin.com/in/demo" },
    { id: "link-2", name: "Portfolio", url: "https://example.com/" },
  ],
  bio: "I make small things.\nPeople keep using them.",
  profileUrl: "/u/demo-user",
  cardUrl: "https://meishi.example/c/h7k2m9x",
  path: "/c/h7k2m9x",
  hasBranding: true,
};
const qr = qrPath(`${demo.cardUrl}?q`);
const show = (card: Partial<PublicCardViewModel> = {}, props: { isOwner?: boolean; wallets?: React.ReactNode } = {}) =>
  renderToStaticMarkup(<PublicCardView card={{ ...demo, ...card }} qr={qr} {...props} />);
/** What a reader gets, one text a line. */
const linesOf = (html: string) =>
  html
    .split(/<[^>]*>/)
    .map((line) => line.trim())
    .filter(Boolean);
const links = (html: string) => readElements(html).filter(({ tag }) => tag === "a");
const linkTo = (html: string, href: string) => links(html).find(({ attributes }) => attributes["href"] === href);
const isRtl = (html: string) => readElements(html).find(({ tag }) => tag === "main")?.attributes["dir"] === "rtl";
const webLinks = Array.from({ length: 8 }, (_, i) => ({
  id: crypto.randomUUID(),
  name: `Link ${i}`,
  url: `https://site-${i}.example/me`,
}));
const details = {
  prefix: "Dr.",
  suffix: "PhD",
  pronouns: "they/them",
  department: "Research",
  website: "https://studio.example/team",
  address: ["1 Main St", "Springfield, OR 97477", "USA"],
};

describe("the public card page", () => {
  test("shows everything on the card in reading order", () => {
    const expected = [
      ["Example Studio", "Head of design", "Demo User", "Product designer · 8 years", "demo@example.com"],
      ["Save Contact", "QR Code", "demo@example.com", "Email", "+1 555 0100", "Phone", "LinkedIn"],
      ["linkedin.com", "Portfolio", "example.com", "About", "I make small things.", "Share", "View Full Profile"],
      ["Made with Meishi", "Share this card", "Scan to open this business card"],
    ].flat();
    const lines = linesOf(show()).flatMap((line) => line.split("\n"));
    expect(expected.map((content) => lines.splice(0, lines.indexOf(content) + 1).at(-1))).toEqual(expected);
  });

  test("has at most four actions above the contact rows, the first of which saves the contact", () => {
    const wallets = <WalletBadges cardId={demo.id} path={demo.path} offered={{ apple: true, google: true }} />;
    const html = show({ hasLeadForm: true }, { wallets });
    const above = html.split('<div class="actions">')[1]?.split('<ul class="rows">')[0] ?? "";
    const actions = above.split(/<\/(?:a|button)>/).map((html) => visibleText(html).trim());
    // A device shows one of the badges.
    const badges = ["Add to Apple Wallet", "Add to Google Wallet"];
    // Its last word is shown once the contact was saved.
    expect(actions.filter(Boolean)).toEqual(["Save Contact", "Share your details back", "QR Code", ...badges]);
  });

  test("links to the contact file, the profile, the code's files, and pages of other services to share it", () => {
    const address = encodeURIComponent(`${demo.cardUrl}?l`);
    const hrefs = links(show()).map(({ attributes }) => attributes["href"]);
    expect(hrefs).toEqual(
      expect.arrayContaining([
        `${demo.path}/contact.vcf`,
        "/u/demo-user",
        "mailto:demo@example.com",
        "tel:+15550100",
        `https://wa.me/?text=Demo%20User%20%E2%80%93%20business%20card%20${address}`,
        `https://www.linkedin.com/sharing/share-offsite/?url=${address}`,
      ]),
    );
    for (const file of ["qr.svg", "qr.png?size=1024"])
      expect(linkTo(show(), `${demo.path}/${file}`)?.attributes).toHaveProperty("download");
  });

  test("shows its owner, and no one else, a bar that leads to the editor and the share page", () => {
    const html = show({}, { isOwner: true });
    expect(linesOf(html).slice(0, 4)).toEqual(["Your card", "Edit", "Share", "Example Studio"]);
    expect(linkTo(html, `/cards/edit/${demo.id}`)?.text).toBe("Edit");
    expect(linkTo(html, `/share/card/${demo.id}`)?.text).toBe("Share");
    expect(show()).not.toMatch(/Your card|\/cards\/edit|\/share\//);
  });

  test("opens web links in a new tab without access to this one, others in place, and marks both for counting", () => {
    const write = { id: "a", name: "Write", url: "mailto:me@example.com" };
    const html = show({ links: [...demo.links, write] });
    const rel = "noopener noreferrer";
    const expected = { target: "_blank", rel, "data-target": "link-1" };
    expect(linkTo(html, "https://www.linkedin.com/in/demo")?.attributes).toMatchObject(expected);
    expect(linkTo(html, write.url)?.attributes).toEqual({ href: write.url, rel, "data-target": "a" });
    expect(html).toContain(`data-subject="card:${demo.id}"`);
  });

  test("shows only fields with a value", () => {
    const nothing = { profession: null, company: null, position: null, yearsExperience: null, email: null };
    const html = show({ ...nothing, phone: null, bio: null, links: [], hasBranding: false });
    const rest = ["DU", "Demo User", "Save Contact", "QR Code", "Share", "View Full Profile"];
    expect(linesOf(html).slice(0, 6)).toEqual(rest);
    expect(html).not.toMatch(/Email<\/small>|Phone<\/small>|tel:|About|Made with|class="(rows|contacts)"/);
  });

  test("formats years of experience with and without a profession", () => {
    expect(linesOf(show({ yearsExperience: 1 }))).toContain("Product designer · 1 year");
    expect(linesOf(show({ yearsExperience: 0 }))).toContain("Product designer · 0 years");
    expect(linesOf(show({ yearsExperience: 12, profession: null }))).toContain("12 years of experience");
  });

  test("has one heading for the name, 'Professional' without one, and sets a long name smaller", () => {
    const headings = (displayName: string) => readElements(show({ displayName })).filter(({ tag }) => tag === "h1");
    expect(headings("  ").map(({ text }) => text)).toEqual(["Professional"]);
    const sizes = [14, 15, 22, 23, 60].map((length) =>
      Object.keys(headings("W".repeat(length))[0]?.attributes ?? {}).join(),
    );
    const [normal, medium, long] = ["class", "class,data-medium", "class,data-long"];
    expect(sizes).toEqual([normal, medium, medium, long, long]);
  });

  test("has one direction, that of the name, whatever the script of each text", () => {
    const html = show({ displayName: "محمد العربي", company: "Engines", bio: "I write programs." });
    expect(html.match(/ dir="rtl"/g)).toHaveLength(1);
    // Isolated inline texts keep their own order, but blocks of text don't change sides.
    expect(html).not.toMatch(/<(?:p|h1|li|section|div)[^>]* dir="auto"/);
    expect(html).toContain("<bdi>Engines</bdi>");
    const names = ["محمد العربي", "👩‍🚀", "Ada"];
    const directions = names.map((displayName) => isRtl(show({ displayName, company: "شركة الحلول" })));
    expect(directions).toEqual([true, true, false]);
  });

  test("clamps long texts until 'Show all' is checked, without JavaScript", () => {
    expect(show()).not.toMatch(/clamp|Show all/);
    for (const [long, name] of [
      [{ company: "Analytical Engines and ".repeat(4) }, "company"],
      [{ email: `${"a".repeat(64)}@${"b".repeat(60)}.example` }, "Email"],
      [{ bio: "line\n".repeat(12) }, "about"],
      [{ address: ["1 Main St, ".repeat(12)] }, "address"],
    ] as const) {
      const html = show(long);
      expect(html).toContain(`<input type="checkbox" aria-label="Show all: ${name}"/>Show all`);
      expect(html).toContain(":has(>.all>:checked) .clamp{");
      expect(html).toMatch(/class="(?:caps )?clamp"/);
    }
    // A company that a wide card shows in full is cut on phones alone.
    expect(show({ company: "x".repeat(90) })).toContain('<label class="all phone">');
    expect(show({ company: "x".repeat(91) })).toContain('<label class="all">');
    expect(show({ company: "x".repeat(90), position: "x".repeat(91) })).toContain('<label class="all">');
  });

  test("escapes hostile text", () => {
    const content = "</p><script>alert(1)</script>";
    const html = show({
      displayName: content,
      company: content,
      bio: content,
      email: `a"b?cc=x@example.com`,
      links: [{ id: "1", name: content, url: "https://example.com/" }],
    });
    expect(html).not.toContain("<script");
    expect(html).toContain("mailto:a%22b%3Fcc%3Dx@example.com");
  });

  test("has no script or inline style, which the content security policy would block", () => {
    const html = show();
    expect(html).not.toMatch(/<script|\sstyle=|\son\w+=/);
    expect(html).toMatch(/popoverTarget="card-qr"/i);
    expect(html).toMatch(/id="card-qr" popover="auto"/);
    expect(html).toMatch(/<button[^>]*hidden[^>]*data-copy=/);
  });

  test("labels several phone numbers and email addresses by kind", () => {
    const phones = [
      { kind: "mobile", value: "+1 555 0101" },
      { kind: "home", value: "+1 555 0102" },
    ] as const;
    const html = show({ emails: [{ kind: "home", value: "demo@home.example" }], phones });
    const lines = linesOf(html);
    const emails = ["demo@example.com", "Work", "demo@home.example", "Home"];
    const numbers = ["+1 555 0100", "Work", "+1 555 0101", "Mobile", "+1 555 0102", "Home"];
    const rows = lines.slice(lines.indexOf("QR Code") + 1, lines.indexOf("LinkedIn"));
    expect(rows).toEqual([...emails, ...numbers]);
    expect(linkTo(html, "tel:+15550101")).toBeDefined();
    expect(linesOf(show({ phone: null, email: null, phones: [phones[0]] }))).toContain("Mobile");
  });

  test("shows titles and pronouns with the name, the department with the company, website and address as rows", () => {
    const html = show(details);
    expect(linesOf(html).join("|")).toContain("Dr. Demo User, PhD|they/them");
    expect(linesOf(html)).toEqual(expect.arrayContaining(["DU", "Head of design · Research"]));
    expect(linkTo(html, details.website)?.attributes).toMatchObject({ target: "_blank", rel: "noopener noreferrer" });
    const address = details.address.join("\n");
    expect(linesOf(html)).toContain(address);
    const copies = readElements(html).filter(({ attributes }) => attributes["data-copy"] === address);
    expect(copies.map(({ tag, attributes }) => [tag, "hidden" in attributes])).toEqual([["button", true]]);
  });

  test("gives the logo the company's name as alternative text and hides the name from screen readers", () => {
    const logo = "/files/logo.webp?v=1";
    const html = show({ logo });
    const alt = (page: string) => readElements(page).find(({ tag }) => tag === "img")?.attributes["alt"];
    expect([alt(html), alt(show({ logo, company: null }))]).toEqual(["Example Studio", "Company logo"]);
    expect(html).toContain(`<img class="logo" src="${logo}" width="120" height="40"`);
    expect(html).toMatch(/<p class="caps" aria-hidden="true"><bdi>Example Studio<\/bdi><\/p>/);
  });

  test("weighs at most 7.25 KiB gzipped with style, script and code; 8 KiB with eight links; 10 kB with everything", () => {
    expect(pageBytes(show({ bio: null }))).toBeLessThanOrEqual(7.25 * 1024);
    expect(pageBytes(show({ links: webLinks }))).toBeLessThanOrEqual(8 * 1024);
    const emails = Array.from({ length: 5 }, (_, i) => ({
      kind: "home" as const,
      value: `demo${i}@home-${i}.example`,
    }));
    const phones = Array.from({ length: 5 }, (_, i) => ({ kind: "mobile" as const, value: `+1 555 02${i}${i}` }));
    const everything = { ...details, links: webLinks, logo: "/files/logo.webp?v=1", emails, phones };
    expect(pageBytes(show(everything))).toBeLessThanOrEqual(10_000);
  });
});

/** The whole body including inline content, roughly as the build minifies it. */
function pageBytes(html: string): number {
  const css = publicCss
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\s*([{};:,>~])\s*|\s+/g, (_, sign: string | undefined) => sign ?? " ");
  return gzipSync(`<style>${css}</style>${html}<script type="module">${visitorScript}</script>`, { level: 9 }).length;
}
