import * as fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { processorTime } from "#tests/support/processor-time.ts";
import { idOf, profileForm } from "#tests/support/profiles.ts";
import { createTestApp } from "#tests/support/test-app.ts";

async function openEditor() {
  const product = await createTestApp();
  const person = await product.signedIn("ada@example.com");
  const id = await idOf(person);
  return { ...product, db: product.services.db, person, id };
}

describe("bad input", () => {
  test("a body that is no form of ours is refused and changes nothing", async () => {
    const { person, db, id } = await openEditor();
    const origin = "http://localhost:3000";
    const send = async (body: string | FormData, type?: string) => {
      const headers = { origin, ...(type && { "content-type": type }) };
      return (await person.request("/profile", { method: "POST", body, headers })).status;
    };
    const withFile = new FormData();
    for (const [name, value] of Object.entries(profileForm())) withFile.set(name, value);
    withFile.set("bio", new File(["x"], "bio.txt"));
    expect(await send('{"displayName":"Eve"}', "application/json")).toBe(400);
    expect(await send("displayName", "text/plain")).toBe(400);
    expect(await send("--x\r\nbroken", "multipart/form-data; boundary=x")).toBe(400);
    expect(await send("displayName=Eve", "application/x-www-form-urlencoded")).toBe(400);
    expect(await send(withFile)).toBe(400);
    for (const version of ["", "0", "-1", "abc", "1e9", "99999999999999999999"]) {
      expect((await person.post("/profile", profileForm({ version }))).status).toBe(400);
    }
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });
  });

  test("fields that nobody asked for change nothing, of oneself or of others", async () => {
    const { person, signedIn, db, id } = await openEditor();
    const eve = await signedIn("eve@example.com");
    const eveId = await idOf(eve);
    await eve.post(
      "/profile",
      profileForm({ user_id: id, ownerId: id, id, plan: "premium", is_sample: "1", cards_owned: "0" }),
    );
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });
    expect(await findProfile(db, eveId)).toMatchObject({ displayName: "Ada Lovelace", isSample: false });
    expect((await person.get("/profile")).status).toBe(200);
  });

  test("a post from another site is refused", async () => {
    const { person, db, id } = await openEditor();
    const answer = await person.post("/profile", profileForm(), { origin: "https://evil.example" });
    expect(answer.status).toBe(403);
    expect((await findProfile(db, id))?.version).toBe(1);
  });

  test("a megabyte in a field is refused beside it within a second, and comes back as typed", async () => {
    const { person } = await openEditor();
    const million = "x".repeat(1_000_000);
    for (const field of ["displayName", "bio", "handle", "links.0.label", "links.0.url"]) {
      const answer = await person.post(
        "/profile",
        profileForm({ [field]: million }, [{ label: "a", url: "b.example" }]),
      );
      expect(answer.status).toBe(422);
      const page = await answer.text();
      expect(page).toContain(million);
      expect(page.match(/aria-invalid="true"/g)).toHaveLength(1);
    }
    // A letter with half a million accents keeps Unicode's composition busy for a minute.
    const accents = profileForm({ bio: `a${"\u0301\u0316".repeat(150_000)}` });
    const { answer, seconds } = await processorTime(() => person.post("/profile", accents));
    expect(answer.status).toBe(422);
    expect(seconds).toBeLessThan(3);
  });

  test("more than the page takes is refused before it is read", async () => {
    const { person } = await openEditor();
    expect((await person.post("/profile", profileForm({ bio: "x".repeat(2_100_000) }))).status).toBe(413);
  });

  test("NUL, line breaks in names, emoji and right-to-left text are saved clean", async () => {
    const { person, visitor, db, id } = await openEditor();
    const form = profileForm({ displayName: "فاطمة 👩‍🚀\r\nBcc: x\u0000", bio: "a\u0000b\r\nc" }, [
      { label: "ق\u0000", url: "ada.example/\u{1F469}" },
    ]);
    expect((await person.post("/profile", form)).status).toBe(302);
    expect(await findProfile(db, id)).toMatchObject({
      displayName: "فاطمة 👩‍🚀 Bcc: x",
      bio: "ab\nc",
      links: [{ label: "ق" }],
    });
    expect(await (await visitor().get(`/u/${id}`)).text()).toContain('dir="rtl"');
  });

  test("markup in every field is text on every page", async () => {
    const { person, visitor, id } = await openEditor();
    const evil = `"><img src=x onerror=alert(1)>`;
    await person.post(
      "/profile",
      profileForm({ displayName: evil, bio: `</script>${evil}` }, [
        { label: evil, url: `https://ada.example/?${evil}` },
      ]),
    );
    for (const page of [await person.get("/profile"), await person.get(`/u/${id}`), await visitor().get(`/u/${id}`)]) {
      expect(await page.text()).not.toContain("<img src=x");
    }
  });

  test("whatever a form says, the answer is a save or a refusal", async () => {
    const { person } = await openEditor();
    const name = fc.oneof(
      fc.constantFrom(
        "displayName",
        "bio",
        "handle",
        "theme",
        "version",
        "replaces",
        "links.0.label",
        "links.0.url",
        "links.0.id",
        "links.1.on",
      ),
      fc.string(),
    );
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("1", "ada", "example.com", "royal", "on"));
    const fields = fc.array(fc.tuple(name, value), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), async (pairs, isWhole) => {
        const form = isWhole ? { ...profileForm(), ...Object.fromEntries(pairs) } : pairs;
        expect((await person.post("/profile", form)).status).toBeOneOf([302, 400, 409, 422]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

describe("bad days", () => {
  test("without room on the disk the save says so and keeps what was typed; with room it goes on", async () => {
    const { person, db, id } = await openEditor();
    await sql`pragma max_page_count = 1`.execute(db); // SQLite takes the number of pages there are
    const long = Array.from({ length: 8 }, (_, at) => ({
      label: `Link ${at}`,
      url: `https://ada.example/${"x".repeat(1900)}`,
    }));
    const full = await person.post("/profile", profileForm({ bio: "Not lost" }, long));
    expect(full.status).toBe(503);
    const page = await full.text();
    for (const text of ["Failed to save profile", "no room left", "Not lost"]) expect(page).toContain(text);
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });

    await sql`pragma max_page_count = 1000000`.execute(db);
    expect((await person.post("/profile", profileForm({ bio: "Not lost" }, long))).status).toBe(302);
  });

  test("a profile that can't be read is said to be so, with the way to try again, and no stack", async () => {
    const { person, db } = await openEditor();
    await sql`alter table handle rename to elsewhere`.execute(db);
    const answer = await person.get("/profile");
    expect(answer.status).toBe(500);
    const page = await answer.text();
    expect(page).toContain("Failed to load profile");
    expect(page).toContain("Try again");
    expect(page).not.toContain("no such table");
    await sql`alter table elsewhere rename to handle`.execute(db);
    expect((await person.get("/profile")).status).toBe(200);
  });

  test("when the server breaks, the form stays as typed and the log has the reason", async () => {
    const { person, db, logLines } = await openEditor();
    await sql`alter table handle rename to elsewhere`.execute(db);
    await sql`create view handle as select handle, user_id, is_current, created_at from elsewhere`.execute(db);
    const broken = await person.post("/profile", profileForm({ handle: "ada", bio: "Not lost" }));
    expect(broken.status).toBe(500);
    const page = await broken.text();
    for (const text of ["Failed to save profile", "Something went wrong on the server.", "Not lost"])
      expect(page).toContain(text);
    expect(page).not.toContain("cannot modify");
    expect(logLines.some((line) => line["msg"] === "profile not saved")).toBe(true);
  });
});
