import { describe, expect, test } from "vitest";

import { upgrade } from "#tests/support/cards.ts";
import { createTestApp } from "#tests/support/test-app.ts";

const contact =
  "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Lovelace\r\nORG:Engines\r\nTEL:+44 20\r\nBDAY:1815-12-10\r\nEND:VCARD\r\n";
const page = `<a href="https://github.com/ada">GitHub</a><a href="javascript:alert(1)">Win</a>`;

type Sent = { person: Person; origin: string; path?: string };
type Person = {
  request: (path: string, init: { method: string; body: string; headers: Record<string, string> }) => Promise<Response>;
};

function send(body: string, { person, origin, path = "/cards/import" }: Sent) {
  return person.request(path, {
    method: "POST",
    body,
    headers: { "content-type": "application/octet-stream", origin },
  });
}

describe("a contact file", () => {
  test("is answered with what the form will say, and nothing is saved by it", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const origin = services.config.baseUrl;
    const answer = await send(contact, { person: ada, origin });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      total: 1,
      contacts: [
        { text: { card_name: "Ada Lovelace, Engines", company: "Engines", phone: "+44 20" }, left: ["birthday"] },
      ],
    });
    expect(await services.db.selectFrom("card").selectAll().execute()).toEqual([]);
  });

  test("is read twenty times in ten minutes, and then no more, whatever it is", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const origin = services.config.baseUrl;
    const paths = ["/cards/import", "/profile/links/import"];
    for (let tries = 0; tries < 20; tries++) {
      expect((await send(contact, { person: ada, origin, path: paths[tries % 2] })).status).toBeLessThan(429);
    }
    for (const path of paths) {
      const answer = await send(contact, { person: ada, origin, path });
      expect([answer.status, await answer.json()]).toEqual([422, { problem: expect.stringContaining("ten minutes") }]);
    }
  });

  test("with lines of nothing but commas is read without them, and fast", async () => {
    const { signedIn, services } = await createTestApp();
    const commas = `ADR:${",".repeat(4_900)}\r\n`.repeat(10);
    const people = contact.replace("BDAY", `${commas}BDAY`).repeat(19);
    const answer = await send(people, { person: await signedIn(), origin: services.config.baseUrl });
    expect(await answer.json()).toMatchObject({
      contacts: expect.arrayContaining([
        { text: expect.objectContaining({ phone: "+44 20" }), left: expect.arrayContaining(["address"]) },
      ]),
    });
  });

  test("that is none is refused with the reason; so is one that is too large", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const origin = services.config.baseUrl;
    for (const [body, problem] of [
      ["", "This file is empty"],
      ["<!doctype html><p>Hi", "This is no contact file"],
      [contact.slice(0, 60), "This file ends in the middle"],
      ["x".repeat(1_500_000), "This file is larger than 1 MB"],
    ] as const) {
      const answer = await send(body, { person: ada, origin });
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ problem: expect.stringContaining(problem) });
    }
    expect((await send("x".repeat(2_500_000), { person: ada, origin })).status).toBe(413);
  });

  test("is read for nobody who is signed out, and for no other site", async () => {
    const { signedIn, visitor, services } = await createTestApp();
    const origin = services.config.baseUrl;
    const ada = await signedIn();
    for (const path of ["/cards/import", "/profile/links/import"]) {
      const signedOut = await send(contact, { person: visitor(), origin, path });
      expect(signedOut.headers.get("location")).toMatch(/^\/auth/);
      expect((await send(contact, { person: ada, origin: "https://evil.example", path })).status).toBe(403);
    }
  });

  test("is offered where a card is new, and beside the list of cards", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    expect(await (await ada.get("/profile")).text()).toContain('href="/cards/edit?import"');
    await upgrade(ada, services);
    expect(await (await ada.get("/cards/edit")).text()).toContain("Fill in from a contact file");
    expect((await ada.get("/cards/import")).headers.get("location")).toBe("/cards/edit?import");
  });
});

describe("a file of links", () => {
  test("is answered with the links that the form would take, and nothing is saved by it", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    await ada.get("/profile");
    const origin = services.config.baseUrl;
    const answer = await send(page, { person: ada, origin, path: "/profile/links/import" });
    expect(await answer.json()).toEqual({
      links: [{ label: "GitHub", url: "https://github.com/ada" }],
      left: ["“Win” (no address that a link can have)"],
    });
    expect((await services.db.selectFrom("profile").select("links").executeTakeFirstOrThrow()).links).toBe("[]");
    expect((await send("Dear Ada", { person: ada, origin, path: "/profile/links/import" })).status).toBe(422);
  });
});
