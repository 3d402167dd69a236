import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { cardFields, makeCard, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { expectHarmless, invalidValues, parameterNames } from "#tests/support/app/query-injection.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

// PostgreSQL refuses text that SQLite stores.
const engines = listEngines();

async function openApp(engine: "sqlite" | "postgres") {
  const { databaseUrl } = await makeDatabase(engine);
  return createTestApp({ env: { DEMO: "on", ...(databaseUrl && { DATABASE_URL: databaseUrl }) } });
}

const oddities = [
  "\u0000",
  "demo-card\u0000",
  "\ud800",
  "\u202eada",
  "__proto__",
  "constructor",
  "toString",
  "..",
  "../../etc/passwd",
  "' or 1=1 --",
  "%00",
  "%ff",
  "demo-card.data",
  "DEMO-USER",
  "K", // the Kelvin sign, whose lower case is an ordinary k
  "ß",
  "İ",
  "a".repeat(3_000),
  "e\u0301".repeat(400),
  "-1",
  "1e3",
  "NaN",
  "٣", // an Arabic digit
];
const odd = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(...oddities),
);

/** A path segment: correctly encoded, or with stray percent signs. */
const segment = fc.oneof(
  odd.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom("%", "%0", "%ff", "%E0%A4%A", "%2e%2e", "%2F", "a%00b", "%ED%A0%80", ";", "a;b=c", "~", "*", "a:b"),
);

describe.each(engines)("any address answers with a page or 404, on %s", (engine) => {
  test("of a profile or a card", async () => {
    const { visitor, signedIn } = await openApp(engine);
    const ada = await signedIn();
    const place = fc.constantFrom("u", "card", "cards", "cards/edit", "dev/mail", "assets", "");
    const form = fc.constantFrom("", ".data", "/qr.svg", "/qr.png", "/contact.vcf", "/details", "/delete", "/", "//");
    const query = fc.option(odd, { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.tuple(place, segment, form), query, async ([where, id, end], words) => {
        const search = words === undefined ? "" : `?${new URLSearchParams({ size: words, [words]: "" })}`;
        for (const person of [visitor(), ada]) {
          const answer = await person.get(`http://localhost:3000/${where}/${id}${end}${search.slice(0, 4_000)}`);
          expect(answer.status).toBeLessThan(500);
          // Redirects stay on this site.
          const to = answer.headers.get("location");
          if (to !== null) expect(new URL(to, "https://our.example").origin).toBe("https://our.example");
        }
      }),
      { numRuns: 60 },
    );
  });

  test("of a QR code image", async () => {
    const { visitor } = await openApp(engine);
    const size = fc.oneof(odd, fc.integer().map(String), fc.double().map(String));
    await fc.assert(
      fc.asyncProperty(size, fc.constantFrom("svg", "png"), async (wanted, kind) => {
        const address = `/card/demo-card/qr.${kind}?${new URLSearchParams({ size: wanted })}`.slice(0, 4_000);
        const answer = await visitor().get(address);
        const isSize = /^\d{1,4}$/.test(wanted) && Number(wanted) >= 64 && Number(wanted) <= 2048;
        expect(answer.status).toBe(isSize ? 200 : 400);
      }),
      { numRuns: 40 },
    );
  });
});

describe.each(engines)("any form is saved or rejected, on %s", (engine) => {
  test("of a card and its dialog", async () => {
    const { signedIn, services } = await openApp(engine);
    const ada = await signedIn();
    await services.db.deleteFrom("profile").where("owner_id", "=", "demo-user").execute();
    await makeOnlyUserPremium(ada, services);
    const id = await makeCard(ada);
    const others = ["links.1.url", "links.0.id", "id", "version", "replaces", "bio", "display_name"];
    const names = [...Object.keys(cardFields), ...others];
    const fields = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), odd), odd), { maxLength: 6 });
    const own = [`/cards/edit/${id}`, `/cards/${id}/details`];
    const path = fc.constantFrom(...own, "/cards/edit", "/cards/edit/%00", "/cards/%00/delete");
    await fc.assert(
      fc.asyncProperty(path, fields, fc.boolean(), async (where, some, isFilled) => {
        const filled = isFilled ? Object.entries({ ...cardFields, version: "1" }) : [];
        const named = new Set(some.map(([name]) => name));
        const answer = await ada.post(where, [...filled.filter(([name]) => !named.has(name)), ...some]);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
    expect((await ada.get("/profile")).status).toBe(200);
    expect((await ada.get(`/card/${id}`)).status).toBe(200);
    expect((await ada.get(`/card/${id}/contact.vcf`)).status).toBe(200);
  });

  test("of a click, which is counted only for a real link", async () => {
    const { visitor, services } = await openApp(engine);
    const value = fc.oneof(odd, fc.constant("card:demo-card"), fc.constant("profile:demo-user"), fc.jsonValue());
    const report = fc.oneof(
      fc
        .record({ subject: value, target: value, kind: value }, { requiredKeys: [] })
        .map((body) => JSON.stringify(body)),
      fc.string(),
      odd.map((text) => JSON.stringify({ subject: `card:${text}`, target: "linkedin" })),
      odd.map((text) => JSON.stringify({ subject: `card:demo-card:${text}`, target: "linkedin" })),
    );
    await fc.assert(
      fc.asyncProperty(report, async (body) => {
        const headers = { origin: "http://localhost:3000", "content-type": "text/plain" };
        const answer = await visitor().request("/count", { method: "POST", headers, body });
        expect(answer.status).toBe(204);
      }),
      { numRuns: 150 },
    );
    await services.counter.flush();
    const rows = await services.db.selectFrom("hourly_count").select(["subject", "target"]).execute();
    expect(rows.filter(({ subject }) => subject !== "card:demo-card" && subject !== "profile:demo-user")).toEqual([]);
  });
});

const marketing = ["/", "/pricing", "/docs", "/auth", "/signup", "/forgot-password", "/reset-password", "/success"];
const others = ["/cancel", "/contact", "/status", "/auth/demo", "/security-overview", "/sitemap.xml", "/robots.txt"];
const pages = [...marketing, ...others, "/theme"];

test("an invalid value has no effect when repeated, as a list, as an object or with another spelling of its name, or on the next visitor's page", async () => {
  const { visitor } = await createTestApp({ env: { DEMO: "on" } });
  const value = encodeURIComponent('"><planted>evil.example');
  for (const path of pages) {
    for (const name of parameterNames) {
      const queries = [
        `${name}=${value}&${name}=dark&${name}=${value}`,
        `${name}[]=${value}&${name}[]=${value}`,
        `${name}[a]=${value}&${name}[__proto__][x]=${value}`,
        `${name}.a=${value}`,
        `${name.toUpperCase()}=${value}`,
        name,
        `${name}=%`,
        `${name}=%ff%00%zz`,
        `=${value}&&&=&${name}==&?${name}=${value}`,
        Array.from({ length: 500 }, (_, at) => `${name}=${at}`).join("&"),
        `${value}=${value}`,
      ];
      for (const query of queries) await expectHarmless(visitor(), `${path}?${query}`);
    }
    expect(await (await visitor().get(path)).text(), path).not.toMatch(/planted|evil\.example/);
  }
});

test("any query parameters have no effect at any route, for a visitor or an owner", async () => {
  const { ada, visitor } = await createSignedInApp({ env: { DEMO: "on" } });
  const card = await makeCard(ada);
  const paths = listRoutes().map((route) => fillParameters(route, { card }));
  const value = fc.oneof(
    fc.constantFrom(...Object.values(invalidValues)),
    fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
    fc.string().map((text) => `<planted ${text}>`),
  );
  const names = [...parameterNames, "size", "q", "v", "download", "seed", "back", "_routes"];
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, fc.string());
  const query = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 5 });
  const end = fc.constantFrom("", "", "", ".data");
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), end, query, async (path, end, pairs) => {
      const search = new URLSearchParams(pairs.map(([key, text]): [string, string] => [key.toWellFormed(), text]));
      for (const person of [visitor(), ada]) await expectHarmless(person, `${path}${end}?${search}`);
    }),
    { numRuns: 400 },
  );
});
