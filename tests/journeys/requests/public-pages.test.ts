import { describe, expect, test } from "vitest";

import { makeCard, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

describe("a card that isn't public", () => {
  const forms = ["", "/", "?q", ".data", "/contact.vcf", "/qr.svg", "/qr.png", "/qr.png?size=128", "/qr.svg?size=bad"];

  test("gives the same bytes as an unknown card, whether private or paused, in every format", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    await makeOnlyUserPremium(ada, services);
    const oldest = await makeCard(ada);
    const paused = await makeCard(ada);
    const hidden = await makeCard(ada, { is_public: "" });
    await services.db.deleteFrom("subscription").execute();
    expect((await visitor().get(`/card/${oldest}`)).status).toBe(200);
    const people = { visitor: visitor(), other: await signedIn("eve@example.com"), owner: ada };
    for (const [who, person] of Object.entries(people)) {
      await person.get("/pricing");
      for (const form of forms) {
        for (const method of form.length < 2 ? ["GET", "HEAD"] : ["GET"]) {
          const unknown = await answerOf(person, crypto.randomUUID(), { form, method });
          expect(unknown.status).toBe(404);
          for (const id of [paused, hidden]) {
            expect(await answerOf(person, id, { form, method }), `${who} ${method} ${form}`).toEqual(unknown);
          }
        }
      }
    }
    await services.counter.flush();
    const counted = await services.db.selectFrom("hourly_count").select("subject").execute();
    expect(new Set(counted.map(({ subject }) => subject))).toEqual(new Set([`card:${oldest}`]));
  });

  async function answerOf(person: Visitor, id: string, { form, method }: { form: string; method: string }) {
    const answer = await person.request(`/card/${id}${form}`, { method });
    const alike = (text: string) =>
      text
        .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "id")
        .replaceAll(/nonce[^ >;]*/g, "")
        .replaceAll(/[\da-f]{8}-[\da-z]+/g, "request");
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${alike(value)}`);
    return { status: answer.status, headers, body: alike(await answer.text()) };
  }
});

describe("an address with an old or capitalized handle", () => {
  test("redirects to the profile's current address and keeps the rest of the path", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    await ada.post("/profile", profileForm({ handle: "ada-one" }));
    await ada.post("/profile", profileForm({ handle: "ada-two", version: "2" }));
    for (const [from, to] of [
      ["/u/ada-one", "/u/ada-two"],
      ["/u/ADA-ONE?q&utm_source=x", "/u/ada-two?q=&utm_source=x"],
      ["/u/Ada-Two?n", "/u/ada-two?n="],
      ["/u/ada-one/", "/u/ada-two/"],
      ["/u/ada-one/qr.svg?size=200", "/u/ada-two/qr.svg?size=200"],
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await visitor().request(from, { method });
        expect(answer.status, from).toBe(301);
        expect(answer.headers.get("location")).toBe(to);
        // A browser that cached it would redirect in a loop once the owner takes the old handle again.
        expect(answer.headers.get("cache-control")).toBe("no-cache");
      }
    }
    await ada.post("/profile", profileForm({ handle: "ada-one", version: "3" }));
    expect((await visitor().get("/u/ada-one")).status).toBe(200);
    expect((await visitor().get("/u/ada-two?q")).headers.get("location")).toBe("/u/ada-one?q=");
    await ada.post("/profile", profileForm({ handle: "", version: "4" }));
    expect((await visitor().get("/u/ada-one")).headers.get("location")).toBe(`/u/${await userIdOf(ada)}`);
  });
});

describe("other methods than GET", () => {
  test("HEAD returns the headers of GET without a body", async () => {
    const { visitor } = await createTestApp({ env: { DEMO: "on" } });
    const files = ["/u/demo-user/qr.svg", "/u/demo-user/qr.png", "/card/demo-card/contact.vcf", "/card/demo-card.data"];
    const pages = ["/u/demo-user", "/card/demo-card", "/", "/auth", "/profile", "/nowhere", "/healthz"];
    for (const path of [...files, ...pages]) {
      const got = await visitor().get(path);
      const head = await visitor().request(path, { method: "HEAD" });
      expect(head.status, path).toBe(got.status);
      const said = ({ headers }: Response) => [...headers].filter(([name]) => !changing.includes(name));
      expect(said(head), path).toEqual(said(got));
      expect(await head.text()).toBe("");
    }
  });

  test("are rejected with a message, without a stack trace and without a change", async () => {
    const { signedIn, services } = await createTestApp({ env: { DEMO: "on" } });
    const ada = await signedIn();
    await makeCard(ada);
    const stored = () => services.db.selectFrom("card").selectAll().execute();
    const before = await stored();
    const origin = "http://localhost:3000";
    const cards = ["/card/demo-card", "/card/demo-card/contact.vcf", "/card/demo-card/qr.png"];
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "X"]) {
      for (const path of [...cards, "/", "/status", "/u/demo-user", "/healthz", "/nowhere", "/signup", "/dev/mail"]) {
        const answer = await ada.request(path, { method, headers: { origin } });
        expect(answer.status, `${method} ${path}`).toBe(method === "POST" && isNoPage(path) ? 404 : 405);
        if (method !== "POST") expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
        expect(await answer.text()).not.toMatch(/\n\s+at .+:\d+:\d+/);
      }
    }
    expect(await stored()).toEqual(before);
  });
});

describe("an unknown address", () => {
  test("shows the not-found page without scripts and logs only its path", async () => {
    const { visitor, logLines } = await createTestApp();
    for (const path of ["/nowhere", "/u", "/card/", "/u/a/b/c", "/.env", "/%E0%A4%A", "/a%00b", "/api/auth/session"]) {
      const answer = await visitor().get(`${path}?token=secret`);
      expect(answer.status, path).toBe(404);
      const page = await answer.text();
      expect(page).toContain("Oops! Page not found");
      expect(page).not.toContain("<script src");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      const line = logLines.find(({ id }) => id === answer.headers.get("x-request-id"));
      expect(line, path).toMatchObject({ method: "GET", path: path.replace("%00", "\u0000"), status: 404 });
    }
    expect(JSON.stringify(logLines)).not.toContain("secret");
  });
});

const isNoPage = (path: string) => ["/nowhere", "/healthz"].includes(path);

const changing = ["x-request-id", "content-security-policy"];
