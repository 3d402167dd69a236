import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { limits as account, maxSignInDelayMs } from "#app/features/account/rules.ts";
import { curlLine, listExamples } from "#app/features/content/docs/examples.ts";
import type { Example } from "#app/features/content/docs/examples.ts";
import { leadLimits } from "#app/features/leads/rules.ts";
import { liveKinds } from "#app/services/events/live/live-event.ts";
import { maxUploadBytes, storageQuota } from "#app/features/uploads/rules.ts";
import { webhookKinds } from "#app/features/webhooks/rules.ts";
import { features } from "#server/features.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { createStripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

const examples: [string, Example][] = Object.entries(listExamples({ profile: "demo-user", card: "demo-card" }));

describe("the documentation", () => {
  test("shows each example as a shell command", async () => {
    // Line-break opportunities are not part of the command.
    const page = unescape((await read("/docs", { DEMO: "on" })).replaceAll("<wbr/>", ""));
    for (const [, example] of examples) {
      expect(page).toContain(curlLine(example, "http://localhost:3000"));
      expect(page).toContain(`${example.status} ${example.type}`);
    }
  });

  test.each(examples)("describes the real response: %s", async (_name, example) => {
    const { visitor } = await createTestApp({ env: { DEMO: "on" } });
    const { path, status, type, response = [], ...init } = example;
    const got = await visitor().request(path, init);
    expect([got.status, got.headers.get("content-type")?.split(";")[0] ?? ""]).toEqual([status, type]);
    const body = await got.text();
    let from = 0;
    for (const line of response.filter((text) => text !== "…")) {
      const at = body.indexOf(line, from);
      expect(at, `${line} in ${body.slice(0, 200)}`).toBeGreaterThanOrEqual(from);
      from = at + line.length;
    }
    expect(got.headers.get("x-request-id")).toBeTruthy();
  });

  test("names each server function, and those of billing only where Premium is sold", async () => {
    const { visitor } = await createStripeApp();
    const names = features.flatMap(({ functions = [] }) => functions.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(7);
    const page = await (await visitor().get("/docs")).text();
    const listed = [...page.matchAll(/<dt><code>([a-z]+(?:-[a-z]+)+)<\/code>/g)].map(([, name]) => name);
    expect(listed.filter((name) => name !== "sign-in" && name !== "sign-up").toSorted()).toEqual(names.toSorted());
    expect(await read("/docs")).not.toContain("customer-portal");
  });

  test("names each live event", async () => {
    const page = await read("/docs");
    const section = page.slice(page.indexOf('<h2 id="events"'), page.indexOf('<h2 id="service"'));
    for (const kind of liveKinds) expect(section).toContain(`<code>${kind}</code>`);
  });

  test("names each event of webhooks with its properties, and shows a message as it is sent", async () => {
    const page = unescape((await read("/docs")).replaceAll(/<wbr\/>|<!-- -->/g, ""));
    const section = page.slice(page.indexOf('<h2 id="webhooks"'), page.indexOf('<h2 id="service"'));
    for (const kind of webhookKinds) expect(section).toContain(`<code>${kind}</code>`);
    for (const text of ["card_id, source and count", '"text_sha256": "', "8 times in 24 hours"])
      expect(section).toContain(text);
  });

  test("describes the real cache headers", async () => {
    const visitor = (await createTestApp({ env: { DEMO: "on" } })).visitor();
    for (const path of [
      "/u/demo-user",
      "/card/demo-card",
      "/card/demo-card/qr.svg",
      "/u/demo-user/preview.png",
      "/avatar/ada.svg",
    ]) {
      const etag = (await visitor.get(path)).headers.get("etag") ?? "";
      const again = await visitor.get(path, { "if-none-match": etag });
      expect([path, again.status, await again.text()]).toEqual([path, 304, ""]);
    }
    const control = async (path: string) => (await visitor.get(path)).headers.get("cache-control");
    expect(await control("/card/demo-card")).toBe("no-cache");
    expect(await control("/card/demo-card/contact.vcf")).toBe("no-cache");
    expect(await control("/card/demo-card/qr.svg")).toBe("no-cache");
    expect(await control("/card/demo-card/preview.png?v=1")).toBe("public, max-age=3600");
    expect(await control("/avatar/ada.svg")).toBe("public, max-age=86400");
    expect(await control("/avatar/ada.svg?randomizeIds=true")).toBe("no-store");
    expect((await visitor.get("/status.json")).headers.get("access-control-allow-origin")).toBe("*");
    expect((await visitor.get("/card/demo-card/qr.svg")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("calls creating a card planned, and no route handles it", async () => {
    const { visitor, services } = await createTestApp();
    const page = await (await visitor().get("/docs")).text();
    expect(page).toContain("Creating cards (planned)");
    expect(page).toContain("Not available yet.");
    for (const words of ["Authorization: Bearer", "/cards", "userId", "links"]) {
      expect(page.slice(page.indexOf('id="creating-cards"'))).toContain(words);
    }
    const sent = await visitor().request("/cards", {
      method: "POST",
      headers: { authorization: "Bearer x", "content-type": "application/json" },
      body: JSON.stringify({ userId: "x", links: [{ label: "Portfolio", url: "https://example.com" }] }),
    });
    expect(sent.status).toBe(403);
    expect(await services.db.selectFrom("card").select("id").execute()).toEqual([]);
  });

  test("promises no samples when there are none", async () => {
    const page = await read("/docs");
    expect(page).not.toMatch(/demo-(user|card)/);
    expect(page).toContain("your-card-id");
  });
});

describe("text pages", () => {
  test.each([
    ["/docs", "Documentation | Meishi"],
    ["/security-overview", "Security | Meishi"],
    ["/privacy", "Privacy | Meishi"],
    ["/terms", "Terms | Meishi"],
    ["/contact", "Contact | Meishi"],
  ])("%s has its title, one first heading, and a contents list that leads somewhere", async (path, title) => {
    const page = await read(path);
    expect(page).toContain(`<title>${title}</title>`);
    expect(page).toMatch(new RegExp(`<link[^>]*rel="canonical"[^>]*href="http://localhost:3000${path}"`));
    expect(page.match(/<h1/g)).toHaveLength(1);
    const chapters = [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    const listed = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => id !== "content");
    for (const id of listed) expect(page).toContain(`id="${id}"`);
    for (const id of chapters) expect(listed).toContain(id);
    if (path !== "/contact") expect(chapters.length).toBeGreaterThan(5);
  });

  test("link only to pages that exist", async () => {
    const { visitor } = await createTestApp({ env: { DEMO: "on", DATA_DIR: withContent({ "site.json": site }) } });
    const links = new Set<string>();
    for (const path of ["/docs", "/security-overview", "/privacy", "/terms", "/contact"]) {
      const main = /<main[\s\S]*<\/main>/.exec(await (await visitor().get(path)).text())?.[0] ?? "";
      for (const [, href = ""] of main.matchAll(/(?:href|src)="(\/[^"#]*)/g)) links.add(unescape(href));
    }
    expect(links.size).toBeGreaterThan(6);
    for (const link of links) expect([link, (await visitor().get(link)).status]).toEqual([link, 200]);
  });
});

describe("the privacy notice and the terms", () => {
  test("are our defaults, with a notice that no operator is named, until one is", async () => {
    for (const path of ["/privacy", "/terms"]) {
      expect(await read(path)).toContain("This is the software&#x27;s default text");
      const signed = await read(path, { DATA_DIR: withContent({ "site.json": site }) });
      expect(signed).not.toContain("s default text");
      expect(signed).toContain("<strong>Example &amp; *Sons*</strong><br");
      expect(signed).toContain('<a href="mailto:hello@cards.example">');
    }
  });

  test("are replaced by the operator's own texts", async () => {
    const env = {
      DATA_DIR: withContent({ "privacy.md": "# Our privacy\n\n<script>x</script> We *care*.\n\n# Second\n" }),
    };
    const page = await read("/privacy", env);
    expect(page).toMatch(/<h1[^>]*>Our privacy<\/h1>/);
    expect(page).toContain("&lt;script&gt;x&lt;/script&gt; We <em>care</em>.");
    expect(page).toContain('<h2 id="second">Second</h2>');
    expect(page).not.toContain("Argon2id");
  });

  test("name every key that we write to the browser's storage", async () => {
    const page = await read("/privacy");
    const code = globSync("app/**/*.{ts,tsx}", { exclude: (path) => path.includes(".test.") })
      .map((path) => readFileSync(path, "utf8"))
      .filter((text) => /(?:local|session)Storage\./.test(text));
    const keys = code.flatMap((text) => text.match(/"meishi\.[\w-]+"/g) ?? []).map((key) => key.slice(1, -1));
    expect(code.length).toBeGreaterThan(2);
    expect(keys).toHaveLength(code.length);
    for (const key of keys) expect(page).toContain(`<code>${key}</code>`);
  });

  test("name the cookies that are set", async () => {
    const { visitor, signedIn } = await createTestApp();
    const ada = await signedIn();
    await ada.post("/theme", { theme: "light", returnTo: "/" });
    const page = await (await visitor().get("/privacy")).text();
    const names = [...ada.cookies.keys(), "meishi.toast", "meishi.typed"];
    expect(names).toEqual(expect.arrayContaining(["meishi.session_token", "theme"]));
    for (const name of names) expect(page).toContain(`<code>${name}</code>`);
    expect(await read("/privacy", { BASE_URL: "https://cards.example" })).toContain(
      "<code>__Host-meishi.session_token</code>",
    );
  });

  test("sets no cookie for a visitor who only reads", async () => {
    const visitor = (await createTestApp({ env: { DEMO: "on" } })).visitor();
    for (const path of ["/", "/privacy", "/docs", "/contact", "/u/demo-user", "/card/demo-card"])
      await visitor.get(path);
    expect([...visitor.cookies]).toEqual([]);
  });
});

test("the privacy notice states the limits of shared contacts as they are", async () => {
  const page = await read("/privacy");
  const day = 24 * 3_600_000;
  const windows = [...Object.values(account), ...Object.values(leadLimits)].map(({ windowMs }) => windowMs);
  expect(Math.max(...windows)).toBe(day);
  expect(page).toContain("counted by IP address and by email address, for a day at most");
  expect(page).toContain(
    `more than ${leadLimits.mailsOfOwner.max} contacts in a day, or your mailbox more than ${leadLimits.mailsOfMailbox.max} such links`,
  );
});

test("the privacy notice names the visitor's country only where a trusted proxy sends it", async () => {
  const header = { COUNTRY_HEADER: "CF-IPCountry" };
  expect(await read("/privacy", header)).not.toContain("country as a property");
  expect(await read("/privacy", { ...header, TRUSTED_PROXY: "127.0.0.1" })).toContain("country as a property");
});

describe("the security page", () => {
  test("states the limits of the code", async () => {
    const page = await read("/security-overview");
    expect(account.signInsOfAccount).toMatchObject({ max: 10, windowMs: 15 * 60_000 });
    expect(account.signInsFromNetwork.max).toBe(30);
    expect(maxSignInDelayMs).toBe(60_000);
    expect(maxUploadBytes).toBe(5 * 1024 * 1024 - 1);
    expect(page).toContain("Ten wrong passwords for one account, or thirty in all, block a network for 15 minutes.");
    expect(page).toContain(
      `5 MB per file, ${storageQuota.bytes / 1_000_000} MB and ${storageQuota.files} files per account`,
    );
  });

  test("states nothing about the server until its operator does", async () => {
    const page = await read("/security-overview");
    expect(page).toContain("The operator hasn&#x27;t stated");
    expect(page).toContain("doesn&#x27;t use HTTPS");
    const said = await read("/security-overview", {
      BASE_URL: "https://cards.example",
      DATA_DIR: withContent({ "site.json": site }),
    });
    expect(said).toContain("LUKS on all disks");
    expect(said).toContain("uses HTTPS");
    expect(said).toContain('href="/.well-known/security.txt"');
  });

  test("has a security.txt with a contact and a future expiry date", async () => {
    const now = Date.UTC(2026, 10, 21, 9);
    const env = { BASE_URL: "https://cards.example", DATA_DIR: withContent({ "site.json": site }) };
    const visitor: Visitor = (await createTestApp({ env, clock: () => now })).visitor();
    const got = await visitor.get("/.well-known/security.txt");
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(await got.text()).toBe(
      [
        "Contact: mailto:hello@cards.example",
        "Expires: 2026-12-22T00:00:00.000Z",
        "Preferred-Languages: en",
        "Canonical: https://cards.example/.well-known/security.txt",
        "Policy: https://cards.example/security-overview#report",
        "",
      ].join("\n"),
    );
    expect((await (await createTestApp()).visitor().get("/.well-known/security.txt")).status).toBe(404);
  });
});

const site = JSON.stringify({
  operator: { name: "Example & *Sons*", address: "1 Street\nTown", email: "hello@cards.example" },
  facts: { encryptionAtRest: "LUKS on all disks" },
});

async function read(path: string, env: Record<string, string> = {}): Promise<string> {
  const { visitor } = await createTestApp({ env });
  const got = await visitor().get(path);
  expect(got.status).toBe(200);
  return got.text();
}

function withContent(files: Record<string, string>): string {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-content-"));
  mkdirSync(join(dataDir, "content"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dataDir, "content", name), text);
  return dataDir;
}

function unescape(html: string): string {
  return html
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
