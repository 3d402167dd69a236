import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { makeCard, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const contact =
  "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Lovelace\r\nORG:Engines\r\nTEL:+44 20\r\nBDAY:1815-12-10\r\nEND:VCARD\r\n";
const [contacts, links] = ["/cards/import", "/profile/links/import"];

function importFile(
  person: Visitor,
  body: string | Uint8Array<ArrayBuffer>,
  { path = contacts, origin = "http://localhost:3000" } = {},
) {
  const headers = { "content-type": "application/octet-stream", origin };
  return person.request(path, { method: "POST", body, headers });
}

describe("a contact file", () => {
  test("is offered for a new card, and returns the form's values without saving anything", async () => {
    const { ada, services } = await createSignedInApp();
    expect(await (await ada.get("/profile")).text()).toContain('href="/cards/edit?import"');
    await makeOnlyUserPremium(ada, services);
    expect(await (await ada.get("/cards/edit")).text()).toContain("Import from contact or LinkedIn");
    expect((await ada.get(contacts)).headers.get("location")).toBe("/cards/edit?import");
    const answer = await importFile(ada, contact);
    expect(answer.status).toBe(200);
    const values = { card_name: "Ada Lovelace, Engines", company: "Engines", phone: "+44 20" };
    expect(await answer.json()).toMatchObject({ total: 1, contacts: [{ values, leftOut: ["birthday"] }] });
    expect(await services.db.selectFrom("card").selectAll().execute()).toEqual([]);
  });

  test("is limited to 20 imports in ten minutes, together with files of links", async () => {
    const { ada } = await createSignedInApp();
    const paths = [contacts, links];
    for (let tries = 0; tries < 20; tries++)
      expect((await importFile(ada, contact, { path: paths[tries % 2] ?? "" })).status).toBeLessThan(429);
    for (const path of paths) {
      const answer = await importFile(ada, contact, { path });
      expect([answer.status, await answer.json()]).toEqual([422, { problem: expect.stringContaining("ten minutes") }]);
    }
  });

  test("waits behind the owner's others, of which three may wait, and another owner's is read in the meantime", async () => {
    const { ada, signedIn } = await createSignedInApp();
    const grace = await signedIn("grace@example.com");
    const sent = Array.from({ length: 12 }, () => importFile(ada, contact));
    expect((await importFile(grace, contact)).status).toBe(200);
    const answers = await Promise.all((await Promise.all(sent)).map((answer) => answer.json()));
    const refused = answers.filter((answer) => "problem" in answer);
    const busy = "The server is busy. Nothing was changed. Try again in a minute.";
    expect(new Set(refused.map(({ problem }) => problem))).toEqual(new Set([busy]));
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(4);
  });

  test("is rejected with the reason when it is invalid, and unread when it is too large", async () => {
    const { ada } = await createSignedInApp();
    const answer = await importFile(ada, "x".repeat(1_500_000));
    const problem = expect.stringContaining("This file is larger than 1 MB");
    expect([answer.status, await answer.json()]).toEqual([422, { problem }]);
    expect((await importFile(ada, "x".repeat(5_000_001))).status).toBe(413);
  });
});

test("a file of links returns the links that the form would accept, and saves nothing", async () => {
  const { ada, services } = await createSignedInApp();
  await ada.get("/profile");
  const page = `<a href="https://github.com/ada">GitHub</a><a href="javascript:alert(1)">Win</a>`;
  expect(await (await importFile(ada, page, { path: links })).json()).toEqual({
    links: [{ kind: "link", label: "GitHub", url: "https://github.com/ada" }],
    left: ["“Win” (invalid URL)"],
  });
  expect((await services.db.selectFrom("profile").select("links").executeTakeFirstOrThrow()).links).toBe("[]");
  expect((await importFile(ada, "Dear Ada", { path: links })).status).toBe(422);
});

test("an import is refused for visitors and other sites", async () => {
  const { ada, visitor } = await createSignedInApp();
  for (const path of [contacts, links]) {
    expect((await importFile(visitor(), contact, { path })).headers.get("location")).toMatch(/^\/auth/);
    expect((await importFile(ada, contact, { path, origin: "https://evil.example" })).status).toBe(403);
  }
});

const vobject = `
import vobject, sys
card = vobject.vCard()
card.add('n').value = vobject.vcard.Name(family='Nguyen', given='An')
card.add('fn').value = 'An Nguyen'
tel = card.add('tel'); tel.value = '+41 44 555 01 02'; tel.type_param = 'WORK'
adr = card.add('adr'); adr.value = vobject.vcard.Address(street='Bahnhofstr. 1', city='Zürich', code='8001', country='CH')
sys.stdout.buffer.write(card.serialize().encode())`;
const { status, stdout } = spawnSync("/usr/bin/python3", ["-c", vobject], { encoding: "utf8" });

test.skipIf(status !== 0)("a contact file of python3-vobject is taken with its address and phone", async () => {
  const { ada } = await createSignedInApp();
  const values = { city: "Zürich", phone: "+41 44 555 01 02" };
  expect(await (await importFile(ada, stdout)).json()).toMatchObject({ contacts: [{ values }] });
});

const hasPrograms = ["python3", "zip"].every((name) => spawnSync(name, ["--help"]).status === 0);

describe.skipIf(!hasPrograms)("LinkedIn data in a ZIP file of another program", () => {
  const profile = `First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers
Ada,Lovelace,,,10 Dec 1815,Mathematician,"I write notes,
and programs.",,,"London, United Kingdom",[ada],"[COMPANY:https://engines.example,BLOG:javascript:alert(1.0)]",
`;
  const positions =
    "Company Name,Title,Description,Location,Started On,Finished On\nEngines,Analyst,,,Jan 2020,\nOld,Clerk,,,Jan 2010,Dec 2019\n";

  function pack(program: "python3" | "zip", ...options: string[]) {
    const folder = mkdtempSync(join(tmpdir(), "linkedin-"));
    try {
      writeFileSync(join(folder, "Profile.csv"), profile);
      writeFileSync(join(folder, "Positions.csv"), positions);
      writeFileSync(join(folder, "messages.csv"), "FROM,CONTENT\nGrace,Hello\n");
      const files = ["messages.csv", "Positions.csv", "Profile.csv"];
      const start = program === "python3" ? ["-m", "zipfile", "-c"] : ["-q", ...options];
      execFileSync(program, [...start, "data.zip", ...files], { cwd: folder });
      return new Uint8Array(readFileSync(join(folder, "data.zip")));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test.each(["python3", "zip"] as const)(
    "of %s fills in a card and a profile, which are then saved",
    async (program) => {
      const { ada, services } = await createSignedInApp();
      await makeOnlyUserPremium(ada, services);
      const values = {
        card_name: "Ada Lovelace, Engines",
        profession: "Analyst",
        company: "Engines",
        city: "London",
        country: "United Kingdom",
        website: "https://engines.example",
      };
      const data = pack(program);
      const contact = { values, leftOut: ["headline", "summary", "web address"] };
      expect(await (await importFile(ada, data)).json()).toMatchObject({ contacts: [contact], total: 1 });
      const id = await makeCard(ada, values);
      expect(await (await ada.get(`/card/${id}`)).text()).toMatch(/Analyst[^]*Engines[^]*London/);

      const imported = await (await importFile(ada, data, { path: links })).json();
      expect(imported).toEqual({
        links: [
          { kind: "link", label: "engines.example", url: "https://engines.example" },
          { kind: "link", label: "X", url: "https://x.com/ada" },
        ],
        left: [expect.stringContaining("(invalid URL)")],
        texts: { name: "Ada Lovelace", headline: "Mathematician", summary: "I write notes,\nand programs." },
      });
      const { name, summary } = imported.texts;
      expect(
        (await ada.post("/profile", profileForm({ displayName: name, bio: summary }, imported.links))).status,
      ).toBe(302);
      const saved = await services.db.selectFrom("profile").select(["display_name", "bio"]).executeTakeFirstOrThrow();
      expect(saved).toEqual({ display_name: "Ada Lovelace", bio: "I write notes,\nand programs." });
    },
  );

  test("with a password is refused, and so are other ZIP files, PDFs and large files, for card and profile", async () => {
    const { ada } = await createSignedInApp();
    const data = pack("zip");
    const cases: [Uint8Array<ArrayBuffer>, string][] = [
      [pack("zip", "-P", "secret"), "has a password"],
      [data.subarray(0, 300), "damaged or incomplete"],
      [new TextEncoder().encode("%PDF-1.7\n%âãÏÓ\n\0"), "A PDF can’t be imported"],
      [new TextEncoder().encode(profile.replace("Headline", "Slogan")), "aren’t the ones that LinkedIn has in English"],
    ];
    for (const path of [contacts, links])
      for (const [body, problem] of cases) {
        const answer = await importFile(ada, body, { path });
        expect([answer.status, await answer.json()]).toEqual([422, { problem: expect.stringContaining(problem) }]);
      }
  });
});
