import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/cards.ts";
import { readElements } from "#tests/support/page-head.ts";
import { fillIn, listRoutes } from "#tests/support/route-table.ts";
import { createTestApp } from "#tests/support/test-app.ts";
import type { Visitor } from "#tests/support/visitor.ts";

const base = "http://localhost:3000";

/** Names that some page reads. */
const names = [
  "theme",
  "screen",
  "tier",
  "returnTo",
  "redirect",
  "page",
  "tab",
  "period",
  "link",
  "token",
  "profiles",
  "cards",
  "site",
];

/** Whatever of this came to life would be an element `planted`, a link to evil.example, or a header. */
const wrong: Record<string, string> = {
  nothing: "",
  "no value that is known": "purple",
  "one in other letters": "DARK",
  "a number": "-1",
  "a fraction": "1e309",
  "the name of what every object has": "__proto__",
  "a constructor": "constructor",
  "the end of an attribute": '"><planted>',
  "the end of the other kind": "'><planted>",
  "the end of a script": "</script><planted>",
  "the end of a style": "</style><planted>",
  "the end of a title": "</title></textarea><planted>",
  "the end of a comment": "--><planted>",
  "an entity": "&lt;planted&gt;&#60;planted&#62;",
  "a template": "${planted}{{planted}}<%planted%>",
  "an address of another site": "https://evil.example/",
  "one that looks like a path": "//evil.example",
  "one with a backslash": "/\\evil.example",
  "one with a tab": "/\t/evil.example",
  "one that is encoded": "/%2f%2fevil.example",
  "one that runs": "javascript:planted()",
  "a data address": "data:text/html,<planted>",
  "a NUL": "\u0000",
  "a NUL after a real value": "dark\u0000",
  "new lines": "a\r\nset-cookie: planted=1\r\n\r\n<planted>",
  "letters that go the other way": "\u202E\u2066planted",
  "half a pair": "%ED%A0%80",
  "accents without end": "e\u0301".repeat(2_000),
  "nine thousand letters": "x".repeat(9_000),
  "a hundred thousand": "/".repeat(100_000),
};

describe("a wrong value in the query", () => {
  const pages = [
    "/",
    "/pricing",
    "/docs",
    "/auth",
    "/signup",
    "/forgot-password",
    "/reset-password",
    "/success",
    "/cancel",
  ];
  const others = ["/contact", "/status", "/auth/demo", "/security-overview", "/sitemap.xml", "/robots.txt", "/theme"];

  test.for(Object.keys(wrong))("is ignored or refused: %s", async (what) => {
    const { visitor } = await openProduct();
    const value = wrong[what] ?? "";
    for (const path of [...pages, ...others]) {
      for (const name of names) await expectHarmless(visitor(), `${path}?${new URLSearchParams({ [name]: value })}`);
    }
  });

  test(
    "many times, as a list, as an object or under another spelling of its name is no more",
    { timeout: 240_000 },
    async () => {
      const { visitor } = await openProduct();
      for (const path of [...pages, ...others]) {
        for (const name of names) {
          const value = encodeURIComponent('"><planted>');
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
      }
    },
  );

  test("stands on nobody else's page afterwards", async () => {
    const { visitor } = await openProduct();
    for (const path of pages) {
      for (const name of names) await visitor().get(`${path}?${name}=${encodeURIComponent('"><planted>evil.example')}`);
      const plain = await (await visitor().get(path)).text();
      expect(plain, path).not.toMatch(/planted|evil\.example/);
    }
  });

  test("leads nobody away from this site when they are signed in", async () => {
    const { ada } = await openProduct();
    for (const value of Object.values(wrong)) {
      for (const name of ["returnTo", "redirect"]) {
        for (const path of ["/auth", "/signup", "/pricing", "/theme"])
          await expectHarmless(ada, `${path}?${new URLSearchParams({ [name]: value })}`);
      }
    }
  });
});

describe("whatever stands in the query, every address of the route table answers", () => {
  test("to a visitor and to its owner, and nothing of it comes to life", { timeout: 240_000 }, async () => {
    const { visitor, ada, card } = await openProduct();
    const paths = listRoutes().map((route) => fillIn(route, { card }));
    const value = fc.oneof(
      fc.constantFrom(...Object.values(wrong)),
      fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
      fc.string().map((text) => `<planted ${text}>`),
    );
    const name = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...names, "size", "q", "v", "download", "seed", "back", "_routes") },
      fc.string(),
    );
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

  test("also to all the wrong values at once", { timeout: 120_000 }, async () => {
    const { visitor, ada, card } = await openProduct();
    const pairs = Object.values(wrong)
      .filter((text) => text.length < 1_000)
      .map((text, at): [string, string] => [names[at % names.length] ?? "", text]);
    for (const route of listRoutes()) {
      for (const person of [visitor(), ada])
        await expectHarmless(person, `${fillIn(route, { card })}?${new URLSearchParams(pairs)}`);
    }
  });
});

test("what came to life would not go unseen by these tests", () => {
  const page = `<a href="//evil.example">x</a><form action="javascript:planted()"></form><b onclick="x">y</b><planted>`;
  expect(alive(page)).toEqual(["//evil.example", "javascript:planted()", "b", "planted"]);
});

async function openProduct() {
  const product = await createTestApp({ env: { DEMO: "on" } });
  const ada = await product.signedIn();
  return { ...product, ada, card: await makeCard(ada) };
}

async function expectHarmless(person: Visitor, address: string) {
  const answer = await person.get(base + address);
  const where = address.slice(0, 300);
  expect(answer.status, where).toBeLessThan(500);
  const to = answer.headers.get("location");
  if (to !== null) {
    expect(new URL(to, base).origin, where).toBe(base);
    expect(to, where).toMatch(/^(?:\/(?![/\\])|http:\/\/localhost:3000\/)[!-~]*$/);
  }
  expect(
    [...answer.headers.keys()].filter((name) => name.includes("planted")),
    where,
  ).toEqual([]);
  expect(
    answer.headers.getSetCookie().filter((cookie) => cookie.startsWith("planted")),
    where,
  ).toEqual([]);
  const body = await answer.text();
  if (answer.headers.get("content-type")?.startsWith("text/html")) expect(alive(body), where).toEqual([]);
}

/** What of a wrong value a browser would run, open or send something to. */
function alive(html: string): string[] {
  return readElements(html).flatMap(({ tag, attributes }) => {
    const targets = ["href", "src", "action", "formaction", "srcset", "poster"].map((name) => attributes[name] ?? "");
    const leads = targets.filter((target) => isElsewhere(target));
    const isPlanted = tag === "planted" || Object.keys(attributes).some((name) => name.startsWith("on"));
    return isPlanted ? [tag, ...leads] : leads;
  });
}

function isElsewhere(target: string): boolean {
  if (!URL.canParse(target, base)) return false;
  const { protocol, host } = new URL(target, base);
  return protocol === "javascript:" || host.endsWith("evil.example") || target.startsWith("data:text");
}
