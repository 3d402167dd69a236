import { describe, expect, test } from "vitest";

import { makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const contact =
  "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Lovelace\r\nORG:Engines\r\nTEL:+44 20\r\nBDAY:1815-12-10\r\nEND:VCARD\r\n";
const page = `<a href="https://github.com/ada">GitHub</a><a href="javascript:alert(1)">Win</a>`;

type ImportRequest = { person: TestUser; origin: string; path?: string };
type TestUser = {
  request: (path: string, init: { method: string; body: string; headers: Record<string, string> }) => Promise<Response>;
};

function importFile(body: string, { person, origin, path = "/cards/import" }: ImportRequest) {
  return person.request(path, {
    method: "POST",
    body,
    headers: { "content-type": "application/octet-stream", origin },
  });
}

describe("a contact file", () => {
  test("returns the form's values and saves nothing", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const origin = services.config.baseUrl;
    const answer = await importFile(contact, { person: ada, origin });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      total: 1,
      contacts: [
        { values: { card_name: "Ada Lovelace, Engines", company: "Engines", phone: "+44 20" }, leftOut: ["birthday"] },
      ],
    });
    expect(await services.db.selectFrom("card").selectAll().execute()).toEqual([]);
  });

  test("is limited to 20 imports in ten minutes", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const origin = services.config.baseUrl;
    const paths = ["/cards/import", "/profile/links/import"];
    for (let tries = 0; tries < 20; tries++) {
      expect((await importFile(contact, { person: ada, origin, path: paths[tries % 2] })).status).toBeLessThan(429);
    }
    for (const path of paths) {
      const answer = await importFile(contact, { person: ada, origin, path });
      expect([answer.status, await answer.json()]).toEqual([422, { problem: expect.stringContaining("ten minutes") }]);
    }
  });

  test("waits behind the owner's others, of which three may wait, and another owner's is read in the meantime", async () => {
    const { signedIn, services } = await createTestApp();
    const [ada, grace] = [await signedIn(), await signedIn("grace@example.com")];
    const origin = services.config.baseUrl;
    const sent = Array.from({ length: 12 }, () => importFile(contact, { person: ada, origin }));
    const graces = await importFile(contact, { person: grace, origin });
    expect(graces.status).toBe(200);
    const answers = await Promise.all((await Promise.all(sent)).map((answer) => answer.json()));
    const refused = answers.filter((answer) => "problem" in answer);
    expect(new Set(refused.map(({ problem }) => problem))).toEqual(
      new Set(["The server is busy. Nothing was changed. Try again in a minute."]),
    );
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(4);
  });

  test("skips lines of nothing but commas quickly", async () => {
    const { signedIn, services } = await createTestApp();
    const commas = `ADR:${",".repeat(4_900)}\r\n`.repeat(10);
    const people = contact.replace("BDAY", `${commas}BDAY`).repeat(19);
    const answer = await importFile(people, { person: await signedIn(), origin: services.config.baseUrl });
    expect(await answer.json()).toMatchObject({
      contacts: expect.arrayContaining([
        { values: expect.objectContaining({ phone: "+44 20" }), leftOut: expect.arrayContaining(["address"]) },
      ]),
    });
  });

  test("is rejected with the reason when it is invalid or too large", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const origin = services.config.baseUrl;
    for (const [body, problem] of [
      ["", "This file is empty"],
      ["<!doctype html><p>Hi", "This isn't a contact file"],
      [contact.slice(0, 60), "This contact file is incomplete"],
      ["x".repeat(1_500_000), "This file is larger than 1 MB"],
    ] as const) {
      const answer = await importFile(body, { person: ada, origin });
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ problem: expect.stringContaining(problem) });
    }
    expect((await importFile("x".repeat(2_500_000), { person: ada, origin })).status).toBe(413);
  });

  test("is refused for visitors and other sites", async () => {
    const { signedIn, visitor, services } = await createTestApp();
    const origin = services.config.baseUrl;
    const ada = await signedIn();
    for (const path of ["/cards/import", "/profile/links/import"]) {
      const signedOut = await importFile(contact, { person: visitor(), origin, path });
      expect(signedOut.headers.get("location")).toMatch(/^\/auth/);
      expect((await importFile(contact, { person: ada, origin: "https://evil.example", path })).status).toBe(403);
    }
  });

  test("is offered for a new card and next to the list of cards", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    expect(await (await ada.get("/profile")).text()).toContain('href="/cards/edit?import"');
    await makeOnlyUserPremium(ada, services);
    expect(await (await ada.get("/cards/edit")).text()).toContain("Import from contact (.vcf)");
    expect((await ada.get("/cards/import")).headers.get("location")).toBe("/cards/edit?import");
  });
});

describe("a file of links", () => {
  test("returns the links that the form would accept and saves nothing", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    await ada.get("/profile");
    const origin = services.config.baseUrl;
    const answer = await importFile(page, { person: ada, origin, path: "/profile/links/import" });
    expect(await answer.json()).toEqual({
      links: [{ kind: "link", label: "GitHub", url: "https://github.com/ada" }],
      left: ["“Win” (invalid URL)"],
    });
    expect((await services.db.selectFrom("profile").select("links").executeTakeFirstOrThrow()).links).toBe("[]");
    expect((await importFile("Dear Ada", { person: ada, origin, path: "/profile/links/import" })).status).toBe(422);
  });
});
