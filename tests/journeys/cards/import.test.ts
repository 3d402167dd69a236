import { spawnSync } from "node:child_process";

import { describe, expect, test } from "vitest";

import { makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const contact =
  "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Lovelace\r\nORG:Engines\r\nTEL:+44 20\r\nBDAY:1815-12-10\r\nEND:VCARD\r\n";
const [contacts, links] = ["/cards/import", "/profile/links/import"];

function importFile(person: Visitor, body: string, { path = contacts, origin = "http://localhost:3000" } = {}) {
  const headers = { "content-type": "application/octet-stream", origin };
  return person.request(path, { method: "POST", body, headers });
}

describe("a contact file", () => {
  test("is offered for a new card, and returns the form's values without saving anything", async () => {
    const { ada, services } = await createSignedInApp();
    expect(await (await ada.get("/profile")).text()).toContain('href="/cards/edit?import"');
    await makeOnlyUserPremium(ada, services);
    expect(await (await ada.get("/cards/edit")).text()).toContain("Import from contact (.vcf)");
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
    expect((await importFile(ada, "x".repeat(2_500_000))).status).toBe(413);
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
