import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { toastOf } from "#tests/support/answers.ts";
import { fieldsOf, idOf, makePremium, profileForm } from "#tests/support/profiles.ts";
import { createTestApp } from "#tests/support/test-app.ts";

/** Somebody who is signed in, and their id. */
async function openEditor() {
  const product = await createTestApp();
  const person = await product.signedIn("ada@example.com");
  const id = await idOf(person);
  return { ...product, db: product.services.db, person, id };
}

const blog = { label: "Blog", url: "https://ada.example/blog" };
const github = { label: "GitHub", url: "https://github.com/ada" };

describe("the editor", () => {
  test("is for those who are signed in; others come back to it after signing in", async () => {
    const { visitor } = await createTestApp();
    const answer = await visitor().get("/profile");
    expect(answer.headers.get("location")).toBe("/auth?returnTo=%2Fprofile");
  });

  test("makes a profile at the first visit, named after the e-mail address", async () => {
    const { person, db, id } = await openEditor();
    const page = await (await person.get("/profile")).text();
    expect(page).toContain('value="ada"');
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1, links: [] });
  });

  test("has every section, and works without script: an empty row for a new link, and the button", async () => {
    const { person } = await openEditor();
    const page = await (await person.get("/profile")).text();
    for (const title of ["Profile Details", "Profile Theme", "Links", "Business Cards", "0 of 8"])
      expect(page).toContain(title);
    const withoutScript = [...page.matchAll(/<noscript>(.*?)<\/noscript>/gs)].map((match) => match[1]).join("");
    expect(withoutScript).toContain('name="links.0.label"');
    expect(withoutScript).toContain("Save &amp; Close");
    expect(page).not.toContain(' style="');
  });
});

describe("saving", () => {
  test("leads to the public profile, says so, and the page that was cached shows it at once", async () => {
    const { person, visitor, id } = await openEditor();
    expect(await (await visitor().get(`/u/${id}`)).text()).not.toContain("Ada Lovelace");
    const saved = await person.post("/profile", profileForm({}, [github, blog]));
    expect(saved.headers.get("location")).toBe(`/u/${id}`);
    expect(toastOf(saved)).toEqual({ title: "Profile saved", tone: "success" });
    const page = await (await visitor().get(`/u/${id}`)).text();
    for (const text of ["Ada Lovelace", "Notes on the engine.", github.url, blog.url]) expect(page).toContain(text);
  });

  test("keeps links in their order, adds https://, drops the empty ones, and shows none that is off", async () => {
    const { person, visitor, db, id } = await openEditor();
    const links = [blog, { label: "", url: " " }, { label: "Site", url: "ada.example" }, { ...github, on: false }];
    await person.post("/profile", profileForm({}, links));
    const stored = (await findProfile(db, id))?.links ?? [];
    expect(stored.map(({ label, url, on }) => [label, url, on])).toEqual([
      ["Blog", blog.url, true],
      ["Site", "https://ada.example", true],
      ["GitHub", github.url, false],
    ]);
    expect(new Set(stored.map((link) => link.id)).size).toBe(3);
    expect(await (await visitor().get(`/u/${id}`)).text()).not.toContain(github.url);

    // A second save keeps the ids: what was counted for a link stays with it.
    await person.post("/profile", profileForm({ version: "2" }, stored.toReversed()));
    expect((await findProfile(db, id))?.links).toEqual(stored.toReversed());
  });

  test("the same form sent twice is saved once, and both times leads on", async () => {
    const { person, db, id } = await openEditor();
    const form = profileForm({}, [blog]);
    const both = await Promise.all([person.post("/profile", form), person.post("/profile", form)]);
    expect(both.map((answer) => answer.headers.get("location"))).toEqual([`/u/${id}`, `/u/${id}`]);
    expect(await findProfile(db, id)).toMatchObject({ version: 2, links: [blog] });
  });

  test("a handle is the new address, the one before leads there, and nobody else gets either", async () => {
    const { person, signedIn, visitor, id } = await openEditor();
    await person.post("/profile", profileForm({ handle: "Ada" }));
    await person.post("/profile", profileForm({ handle: "countess", version: "2" }));
    expect((await visitor().get("/u/ada")).headers.get("location")).toBe("/u/countess");
    expect(await (await visitor().get("/u/countess")).text()).toContain("Ada Lovelace");
    expect((await visitor().get(`/u/${id}`)).status).toBe(200);

    const eve = await signedIn("eve@example.com");
    await idOf(eve);
    for (const handle of ["ada", "COUNTESS"]) {
      const answer = await eve.post("/profile", profileForm({ handle }));
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain("This handle is taken. Choose another.");
    }
    expect(await (await eve.post("/profile", profileForm({ handle: "admin" }))).text()).toContain(
      "This handle is reserved.",
    );
  });
});

describe("a save that is refused", () => {
  test("keeps everything that was typed, and names each problem beside its field", async () => {
    const { person, db, id } = await openEditor();
    const typed = profileForm({ displayName: "N".repeat(51), bio: "b".repeat(161), handle: "a", theme: "ocean" }, [
      blog,
      { label: "", url: "javascript:alert(1)", on: false },
    ]);
    delete typed["showBusinessCard"];
    const answer = await person.post("/profile", typed);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    for (const text of [
      "Failed to save profile",
      "Use at most 50 characters",
      "Use at most 160 characters",
      "Use at least 3",
      "Link name is required",
      "Invalid URL",
    ]) {
      expect(page).toContain(text);
    }
    for (const value of [typed["displayName"], "javascript:alert(1)", blog.url])
      expect(page).toContain(`value="${value}"`);
    expect(page).toContain(typed["bio"]);
    const checked = (name: string) => fieldsOf(page, name).filter((tag) => tag.includes(' checked=""'));
    expect(checked("theme").join()).toContain(' value="ocean"');
    for (const name of ["showBusinessCard", "links.1.on"]) expect(checked(name)).toEqual([]);
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(5);
    expect(page).not.toContain('href="javascript:');
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });
  });

  test("more than eight links are refused as a whole", async () => {
    const { person } = await openEditor();
    const links = Array.from({ length: 9 }, (_, at) => ({ label: `Link ${at}`, url: `https://ada.example/${at}` }));
    const page = await (await person.post("/profile", profileForm({}, links))).text();
    expect(page).toContain("You can add a maximum of 8 links.");
    expect(page).toContain("https://ada.example/8");
  });

  test("themes of Premium are refused on Free, taken on Premium, and kept when Premium ends", async () => {
    const { person, services, visitor, db, id } = await openEditor();
    const free = await person.post("/profile", profileForm({ theme: "royal" }));
    expect(free.status).toBe(422);
    expect(await free.text()).toContain("This theme comes with Premium.");
    const page = await (await person.get("/profile")).text();
    expect(fieldsOf(page, "theme").filter((tag) => tag.includes(' disabled=""'))).toHaveLength(3);

    await makePremium(services, id);
    expect((await person.post("/profile", profileForm({ theme: "royal" }))).status).toBe(302);
    expect(await (await visitor().get(`/u/${id}`)).text()).toContain('data-theme="royal"');

    await db.updateTable("subscription").set({ ends_at: 1 }).execute();
    const kept = await person.post("/profile", profileForm({ theme: "royal", version: "2" }));
    expect(kept.status).toBe(302);
    expect(await findProfile(db, id)).toMatchObject({ theme: "royal" });
    expect(await (await visitor().get(`/u/${id}`)).text()).toContain('data-theme="default"');
    expect(await (await person.get("/profile")).text()).toContain("Your theme is kept for when you upgrade.");
  });
});

describe("two tabs", () => {
  test("the later save does not wipe the earlier: it shows what differs and offers both", async () => {
    const { person, db, id } = await openEditor();
    await person.post("/profile", profileForm({ bio: "From the first tab" }));
    const late = await person.post("/profile", profileForm({ bio: "From the second tab" }));
    expect(late.status).toBe(409);
    const page = await late.text();
    for (const text of [
      "This profile was saved somewhere else meanwhile",
      "From the first tab",
      "From the second tab",
      "Use the other one",
    ]) {
      expect(page).toContain(text);
    }
    expect(fieldsOf(page, "replaces").filter((tag) => tag.includes(' value="2"'))).toHaveLength(1);
    expect((await findProfile(db, id))?.bio).toBe("From the first tab");

    // Save, pressed again, asks again; "Keep mine" is a decision.
    expect((await person.post("/profile", profileForm({ bio: "From the second tab" }))).status).toBe(409);
    const mine = await person.post("/profile", profileForm({ bio: "From the second tab", replaces: "2" }));
    expect(mine.status).toBe(302);
    expect(await findProfile(db, id)).toMatchObject({ bio: "From the second tab", version: 3 });
  });

  test("of twenty different saves at once one is stored, and the others are asked", async () => {
    const { person, db, id } = await openEditor();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => person.post("/profile", profileForm({ bio: `Save ${at}` }))),
    );
    const statuses = answers.map((answer) => answer.status).toSorted();
    expect(statuses).toEqual([302, ...Array.from({ length: 19 }, () => 409)]);
    expect((await findProfile(db, id))?.version).toBe(2);
  });
});
