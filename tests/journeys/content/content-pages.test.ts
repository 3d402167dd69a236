import { globSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { limits as account, maxSignInDelayMs } from "#app/features/account/rules.ts";
import { curlLine, listExamples } from "#app/features/content/docs/examples.ts";
import type { Example } from "#app/features/content/docs/examples.ts";
import { leadLimits } from "#app/features/leads/rules.ts";
import { liveKinds } from "#app/services/events/live/live-event.ts";
import { maxUploadBytes, storageQuota } from "#app/features/uploads/rules.ts";
import { webhookKinds } from "#app/features/webhooks/rules.ts";
import { features } from "#server/features.ts";
import { contentFolder } from "#tests/support/admin/operator-content.ts";
import { readElements, visibleText, unescapeHtml } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { createStripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

describe("the documentation", () => {
  test("shows each example as a shell command, and describes the real response", async () => {
    const visitor = (await createTestApp({ env: { DEMO: "on" } })).visitor();
    const page = unescapeHtml((await (await visitor.get("/docs")).text()).replaceAll("<wbr/>", ""));
    const examples: Example[] = Object.values(listExamples({ profile: "demo-user", card: "demo-card" }));
    for (const example of examples) {
      const { what, path, status, type, response = [], ...init } = example;
      expect(page).toContain(curlLine(example, "http://localhost:3000"));
      expect(page).toContain(`${status} ${type}`);
      const got = await visitor.request(path, init);
      expect([what, got.status, got.headers.get("content-type")?.split(";")[0] ?? ""]).toEqual([what, status, type]);
      expect(got.headers.get("x-request-id")).toBeTruthy();
      const body = await got.text();
      let from = 0;
      for (const line of response.filter((text) => text !== "…")) {
        const at = body.indexOf(line, from);
        expect(at, `${line} in ${body.slice(0, 200)}`).toBeGreaterThanOrEqual(from);
        from = at + line.length;
      }
    }
  });

  test("names each server function, and those of billing only where Premium is sold", async () => {
    const { visitor } = await createStripeApp();
    const names = features.flatMap(({ functions = [] }) => functions.map(({ name }) => name));
    const page = await (await visitor().get("/docs")).text();
    const listed = [...page.matchAll(/<dt><code>([a-z]+(?:-[a-z]+)+)<\/code>/g)].map(([, name]) => name);
    expect(listed.filter((name) => name !== "sign-in" && name !== "sign-up").toSorted()).toEqual(names.toSorted());
    expect(codesIn(await read("/docs"))).not.toContain("customer-portal");
  });

  test("names each live event, and each event of webhooks with its properties, as it is sent", async () => {
    const page = await read("/docs");
    const sectionAt = (id: string, next: string) =>
      unescapeHtml(page.slice(page.indexOf(`<h2 id="${id}"`), page.indexOf(`<h2 id="${next}"`)));
    const events = codesIn(sectionAt("events", "webhooks"));
    expect(liveKinds.filter((kind) => !events.includes(kind))).toEqual([]);
    const webhooks = sectionAt("webhooks", "service");
    expect(webhookKinds.filter((kind) => !codesIn(webhooks).includes(kind))).toEqual([]);
    for (const text of ["card_id, source and count", '"text_sha256": "', "8 times in 24 hours"])
      expect(visibleText(webhooks.replaceAll("<wbr/>", ""))).toContain(text);
  });

  test("describes the real cache headers", async () => {
    const visitor = (await createTestApp({ env: { DEMO: "on" } })).visitor();
    const cached = ["/u/demo-user", "/card/demo-card", "/card/demo-card/qr.svg", "/u/demo-user/preview.png"];
    for (const path of [...cached, "/avatar/ada.svg"]) {
      const etag = (await visitor.get(path)).headers.get("etag") ?? "";
      const again = await visitor.get(path, { "if-none-match": etag });
      expect([path, again.status, await again.text()]).toEqual([path, 304, ""]);
    }
    for (const [path, expected] of [
      ["/card/demo-card", "no-cache"],
      ["/card/demo-card/contact.vcf", "no-cache"],
      ["/card/demo-card/qr.svg", "no-cache"],
      ["/card/demo-card/preview.png?v=1", "public, max-age=3600"],
      ["/avatar/ada.svg", "public, max-age=86400"],
      ["/avatar/ada.svg?randomizeIds=true", "no-store"],
    ] as const)
      expect((await visitor.get(path)).headers.get("cache-control"), path).toBe(expected);
    expect((await visitor.get("/card/demo-card/qr.svg")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("promises no samples when there are none", async () => {
    const page = await read("/docs");
    expect(page).not.toMatch(/demo-(user|card)/);
    expect(page).toContain("your-card-id");
  });
});

// Titles and links of all pages: tests/browser/site/site-pages.test.ts.
test("each text page has a contents list of its chapters", async () => {
  const { visitor } = await createTestApp({ env: { DEMO: "on", DATA_DIR: contentFolder({ "site.json": site }) } });
  for (const path of ["/docs", "/docs/api", "/security-overview", "/privacy", "/terms", "/contact"]) {
    const elements = readElements(await (await visitor().get(path)).text());
    const ids = elements.map(({ attributes }) => attributes["id"]);
    const listed = elements.flatMap(({ attributes: { href = "" } }) => (href.startsWith("#") ? [href.slice(1)] : []));
    expect(
      listed.filter((id) => !ids.includes(id)),
      path,
    ).toEqual([]);
    const chapters = elements.flatMap(({ tag, attributes: { id } }) => (tag === "h2" && id ? [id] : []));
    expect(
      chapters.filter((id) => !listed.includes(id)),
      path,
    ).toEqual([]);
    if (path !== "/contact") expect(chapters.length, path).toBeGreaterThan(5);
  }
});

describe("the privacy notice and the terms", () => {
  test("are our defaults, with a notice that no operator is named, until one is", async () => {
    for (const path of ["/privacy", "/terms"]) {
      expect(await read(path)).toContain("This is the software’s default text");
      const signed = await read(path, { DATA_DIR: contentFolder({ "site.json": site }) });
      expect(signed).not.toContain("s default text");
      expect(signed).toContain("<strong>Example &amp; *Sons*</strong><br");
      expect(signed).toContain('<a href="mailto:hello@cards.example">');
    }
  });

  test("are replaced by the operator's own texts", async () => {
    const text = "# Our privacy\n\n<script>x</script> We *care*.\n\n# Second\n";
    const page = await read("/privacy", { DATA_DIR: contentFolder({ "privacy.md": text }) });
    expect(page).toMatch(/<h1[^>]*>Our privacy<\/h1>/);
    expect(page).toContain("&lt;script&gt;x&lt;/script&gt; We <em>care</em>.");
    expect(page).toContain('<h2 id="second">Second</h2>');
    expect(page).not.toContain("Argon2id");
  });

  test("name every key that we write to the browser's storage, and the cookies that are set", async () => {
    const { visitor, signedIn } = await createTestApp();
    const codes = codesIn(await (await visitor().get("/privacy")).text());
    const code = globSync("app/**/*.{ts,tsx}", { exclude: (path) => path.includes(".test.") })
      .map((path) => readFileSync(path, "utf8"))
      .filter((text) => /(?:local|session)Storage\./.test(text));
    const keys = code.flatMap((text) => text.match(/"meishi\.[\w-]+"/g) ?? []).map((key) => key.slice(1, -1));
    expect(code.length).toBeGreaterThan(2);
    expect(keys).toHaveLength(code.length);
    expect(keys.filter((key) => !codes.includes(key))).toEqual([]);

    const ada = await signedIn();
    await ada.post("/theme", { theme: "light", returnTo: "/" });
    const cookies = [...ada.cookies.keys(), "meishi.toast", "meishi.typed"];
    expect(cookies).toEqual(expect.arrayContaining(["meishi.session_token", "theme"]));
    expect(cookies.filter((name) => !codes.includes(name))).toEqual([]);
    expect(codesIn(await read("/privacy", { BASE_URL: "https://cards.example" }))).toContain(
      "__Host-meishi.session_token",
    );
  });

  test("are read without a cookie, as is every page", async () => {
    const visitor = (await createTestApp({ env: { DEMO: "on" } })).visitor();
    for (const path of ["/", "/privacy", "/docs", "/contact", "/u/demo-user", "/card/demo-card"])
      await visitor.get(path);
    expect([...visitor.cookies]).toEqual([]);
  });

  test("state the limits of shared contacts as they are", async () => {
    const windows = [...Object.values(account), ...Object.values(leadLimits)].map(({ windowMs }) => windowMs);
    expect(Math.max(...windows)).toBe(24 * 3_600_000);
    const { mailsOfOwner, mailsOfMailbox } = leadLimits;
    const page = await read("/privacy");
    expect(page).toContain("counted by IP address and by email address, for a day at most");
    expect(page).toContain(
      `more than ${mailsOfOwner.max} contacts in a day, or your mailbox more than ${mailsOfMailbox.max} such links`,
    );
  });

  test("name the visitor's country only where a trusted proxy sends it", async () => {
    const header = { COUNTRY_HEADER: "CF-IPCountry" };
    expect(await read("/privacy", header)).not.toContain("country as a property");
    expect(await read("/privacy", { ...header, TRUSTED_PROXY: "127.0.0.1" })).toContain("country as a property");
  });
});

describe("the security page", () => {
  test("states the limits of the code, and nothing about the server until its operator does", async () => {
    const page = await read("/security-overview");
    expect(account.signInsOfAccount).toMatchObject({ max: 10, windowMs: 15 * 60_000 });
    expect(account.signInsFromNetwork.max).toBe(30);
    expect(maxSignInDelayMs).toBe(60_000);
    expect(maxUploadBytes).toBe(5 * 1024 * 1024 - 1);
    for (const text of [
      "Ten wrong passwords for one account, or thirty in all, block a network for 15 minutes.",
      `5 MB per file, ${storageQuota.bytes / 1_000_000} MB and ${storageQuota.files} files per account`,
      "The operator hasn’t stated",
      "doesn’t use HTTPS",
    ])
      expect(page).toContain(text);
    const env = { BASE_URL: "https://cards.example", DATA_DIR: contentFolder({ "site.json": site }) };
    const stated = await read("/security-overview", env);
    for (const text of ["LUKS on all disks", "uses HTTPS", 'href="/.well-known/security.txt"'])
      expect(stated).toContain(text);
  });

  test("has a security.txt with a contact and a future expiry date", async () => {
    const env = { BASE_URL: "https://cards.example", DATA_DIR: contentFolder({ "site.json": site }) };
    const { visitor } = await createTestApp({ env, clock: () => Date.UTC(2026, 10, 21, 9) });
    const got = await visitor().get("/.well-known/security.txt");
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect((await got.text()).split("\n")).toEqual([
      "Contact: mailto:hello@cards.example",
      "Expires: 2026-12-22T00:00:00.000Z",
      "Preferred-Languages: en",
      "Canonical: https://cards.example/.well-known/security.txt",
      "Policy: https://cards.example/security-overview#report",
      "",
    ]);
    expect((await (await createTestApp()).visitor().get("/.well-known/security.txt")).status).toBe(404);
  });
});

const site = {
  operator: { name: "Example & *Sons*", address: "1 Street\nTown", email: "hello@cards.example" },
  facts: { encryptionAtRest: "LUKS on all disks" },
};

async function read(path: string, env: Record<string, string> = {}): Promise<string> {
  const { visitor } = await createTestApp({ env });
  const got = await visitor().get(path);
  expect(got.status).toBe(200);
  return got.text();
}

/** The names in a code font on a page. */
function codesIn(html: string): string[] {
  return readElements(html).flatMap(({ tag, text }) => (tag === "code" ? [text] : []));
}
