import { gzipSync } from "node:zlib";

import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { qrPath } from "#app/features/sharing/qr/qr-code.ts";
import { visitorScript } from "#app/features/sharing/visitor-script.ts";
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
const show = (card: Partial<PublicCardViewModel> = {}, props: { isOwner?: boolean } = {}) =>
  renderToStaticMarkup(<PublicCardView card={{ ...demo, ...card }} qr={qr} {...props} />);
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();

describe("the public card page", () => {
  test("shows everything on the card in reading order", () => {
    const order = ["Example Studio", "Head of design", "Demo User", "Product designer · 8 years", "demo@example.com"];
    const actions = [
      "Save Contact",
      "QR Code",
      "Share",
      "demo@example.com",
      "Email",
      "+1 555 0100",
      "Phone",
      "LinkedIn",
    ];
    const rest = ["linkedin.com", "Portfolio", "example.com", "About", "I make small things.", "View Full Profile"];
    const expected = [
      ...order,
      ...actions,
      ...rest,
      "Made with Meishi",
      "Share this card",
      "Scan to open this business card",
    ];
    const lines = textOf(show()).split("\n");
    const read = expected.map((content) => lines.splice(0, lines.indexOf(content) + 1).at(-1));
    expect(read).toEqual(expected);
  });

  test("links to the contact file, the profile and the QR code's files", () => {
    const html = show();
    expect(html).toContain(`href="${demo.path}/contact.vcf"`);
    expect(html).toContain('href="/u/demo-user"');
    expect(html).toContain(`href="${demo.path}/qr.svg" download`);
    expect(html).toContain(`href="${demo.path}/qr.png?size=1024" download`);
    expect(html).toContain('href="mailto:demo@example.com"');
    expect(html).toContain('href="tel:+15550100"');
  });

  test("shows its owner, and no one else, a bar that leads to the editor and the share page", () => {
    const html = show({}, { isOwner: true });
    expect(textOf(html)).toMatch(/^Your card\nEdit\nShare\nExample Studio/);
    expect(html).toContain(`<a class="button" href="/cards/edit/${demo.id}">Edit</a>`);
    expect(html).toContain(`<a class="button" href="/share/card/${demo.id}">Share</a>`);
    expect(show()).not.toMatch(/Your card|\/cards\/edit|\/share\//);
  });

  test("opens links in a new tab without access to this one, and marks them for counting", () => {
    expect(show()).toContain(
      '<a href="https://www.linkedin.com/in/demo" target="_blank" rel="noopener noreferrer" data-target="link-1">',
    );
    expect(show()).toContain(`data-subject="card:${demo.id}"`);
  });

  test("opens a mail or phone link in place", () => {
    const html = show({ links: [{ id: "a", name: "Write", url: "mailto:me@example.com" }] });
    expect(html).toContain('<a href="mailto:me@example.com" rel="noopener noreferrer" data-target="a">');
  });

  test("shows only fields with a value", () => {
    const nothing = {
      profession: null,
      company: null,
      position: null,
      yearsExperience: null,
      email: null,
      phone: null,
      bio: null,
    };
    const html = show({ ...nothing, links: [], hasBranding: false });
    expect(textOf(html).split("\n").slice(0, 6)).toEqual([
      "DU",
      "Demo User",
      "Save Contact",
      "QR Code",
      "Share",
      "View Full Profile",
    ]);
    expect(html).not.toMatch(/Email<\/small>|Phone<\/small>|tel:|About|Made with|class="(rows|contacts)"/);
  });

  test.each([
    [1, "Designer", "Designer · 1 year"],
    [0, "Designer", "Designer · 0 years"],
    [12, null, "12 years of experience"],
  ])("formats %s years and %s as %s", (yearsExperience, profession, content) => {
    expect(textOf(show({ yearsExperience, profession }))).toContain(content);
  });

  test("falls back to 'Professional' for a card without a name", () => {
    expect(show({ displayName: "  " })).toMatch(/<h1[^>]*>Professional<\/h1>/);
  });

  test("has one heading for the name and sets a long one smaller", () => {
    expect(show().match(/<h1/g)).toHaveLength(1);
    expect(show()).not.toContain("data-long");
    expect(show({ displayName: "W".repeat(60) })).toContain('data-long="true"');
  });

  test("sets a name of 15 to 22 characters smaller on narrow pages only", () => {
    const isMedium = (length: number) => show({ displayName: "W".repeat(length) }).includes('data-medium="true"');
    expect([14, 15, 22, 23].map(isMedium)).toEqual([false, true, true, false]);
  });

  test("is right-to-left for a name in a right-to-left script", () => {
    expect(show()).not.toContain('dir="rtl"');
    expect(show({ displayName: "محمد العربي" })).toMatch(/^<main class="page"[^>]* dir="rtl"/);
  });

  test("has one direction, whatever the script of each text", () => {
    const html = show({ displayName: "محمد العربي", company: "Engines", bio: "I write programs." });
    expect(html.match(/ dir="rtl"/g)).toHaveLength(1);
    // Isolated inline texts keep their own order, but blocks of text don't change sides.
    expect(html).not.toMatch(/<(?:p|h1|li|section|div)[^>]* dir="auto"/);
    expect(html).toContain("<bdi>Engines</bdi>");
    expect(show({ displayName: "👩‍🚀", company: "شركة الحلول" })).toContain('dir="rtl"');
    expect(show({ displayName: "Ada", company: "شركة الحلول" })).not.toContain('dir="rtl"');
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
  });

  test("offers 'Show all' on phones only for a company that a wide card shows in full", () => {
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

  test("shares through plain links to the pages of other services", () => {
    const address = encodeURIComponent(`${demo.cardUrl}?l`);
    expect(show()).toContain(`href="https://wa.me/?text=Demo%20User%20%E2%80%93%20business%20card%20${address}"`);
    expect(show()).toContain(`href="https://www.linkedin.com/sharing/share-offsite/?url=${address}"`);
  });

  test("labels several phone numbers and email addresses by kind, and a single one without", () => {
    const html = show({
      emails: [{ kind: "home", value: "demo@home.example" }],
      phones: [
        { kind: "mobile", value: "+1 555 0101" },
        { kind: "home", value: "+1 555 0102" },
      ],
    });
    const lines = textOf(html).split("\n");
    const rows = lines.slice(lines.indexOf("Share") + 1, lines.indexOf("LinkedIn"));
    expect(rows).toEqual([
      "demo@example.com",
      "Work",
      "demo@home.example",
      "Home",
      "+1 555 0100",
      "Work",
      "+1 555 0101",
      "Mobile",
      "+1 555 0102",
      "Home",
    ]);
    expect(html).toContain('href="tel:+15550101"');
    const mobile = { phone: null, email: null, phones: [{ kind: "mobile", value: "+1 555 0101" }] } as const;
    expect(textOf(show(mobile)).split("\n")).toContain("Mobile");
  });

  test("shows titles and pronouns with the name, the department with the company, website and address as rows", () => {
    const html = show({
      prefix: "Dr.",
      suffix: "PhD",
      pronouns: "they/them",
      department: "Research",
      website: "https://studio.example/team",
      address: ["1 Main St", "Springfield, OR 97477", "USA"],
    });
    expect(html).toMatch(/<h1[^>]*>Dr\. Demo User, PhD <small[^>]*>they\/them<\/small><\/h1>/);
    expect(textOf(html)).toContain("Head of design · Research");
    expect(html).toContain('<a href="https://studio.example/team" target="_blank" rel="noopener noreferrer">');
    expect(html).toContain("1 Main St\nSpringfield, OR 97477\nUSA");
    expect(html).toMatch(/<button[^>]*hidden[^>]*data-copy="1 Main St\n/);
    expect(textOf(html)).toContain("DU\n");
  });

  test("gives the logo the company's name as alternative text and hides the name from screen readers", () => {
    const html = show({ logo: "/files/logo.webp?v=1" });
    expect(html).toContain(
      '<img class="logo" src="/files/logo.webp?v=1" width="120" height="40" alt="Example Studio"/>',
    );
    expect(html).toMatch(/<p class="caps" aria-hidden="true"><bdi>Example Studio<\/bdi><\/p>/);
    expect(show({ logo: "/files/logo.webp?v=1", company: null })).toContain('alt="Company logo"');
  });

  test("weighs at most 10 kB gzipped with everything on it", () => {
    const links = Array.from({ length: 8 }, (_, i) => ({
      id: crypto.randomUUID(),
      name: `Link ${i}`,
      url: `https://site-${i}.example/me`,
    }));
    const html = show({
      links,
      prefix: "Dr.",
      suffix: "PhD",
      pronouns: "they/them",
      department: "Research",
      logo: "/files/logo.webp?v=1",
      website: "https://studio.example/team",
      address: ["1 Main St", "Springfield, OR 97477", "USA"],
      emails: Array.from({ length: 5 }, (_, i) => ({ kind: "home" as const, value: `demo${i}@home-${i}.example` })),
      phones: Array.from({ length: 5 }, (_, i) => ({ kind: "mobile" as const, value: `+1 555 02${i}${i}` })),
    });
    expect(pageBytes(html)).toBeLessThanOrEqual(10_000);
  });

  test("weighs at most 7.25 KiB gzipped with its style, its script and its code; 8 KiB with eight links", () => {
    const links = Array.from({ length: 8 }, (_, i) => ({
      id: crypto.randomUUID(),
      name: `Link ${i}`,
      url: `https://site-${i}.example/me`,
    }));
    expect(pageBytes(show({ bio: null }))).toBeLessThanOrEqual(7.25 * 1024);
    expect(pageBytes(show({ links }))).toBeLessThanOrEqual(8 * 1024);
  });
});

/** The whole body including inline content, roughly as the build minifies it. */
function pageBytes(html: string): number {
  const css = publicCss
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\s*([{};:,>~])\s*|\s+/g, (_, sign: string | undefined) => sign ?? " ");
  return gzipSync(`<style>${css}</style>${html}<script type="module">${visitorScript}</script>`, { level: 9 }).length;
}
