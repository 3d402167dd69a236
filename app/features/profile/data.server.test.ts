import { describe, expect, test } from "vitest";

import type { Db } from "#app/services/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/databases.ts";
import { makeAccountRow, makeOwner as make } from "#tests/support/owners.ts";

import { ensureProfile, findProfile, findPublicProfile, saveProfile, saveProfileDetails } from "./data.server.ts";
import type { ProfileChange, ProfileLink } from "./data.server.ts";
import { maxHandles } from "./handle.ts";

const now = 1_790_000_000_000;
const empty: ProfileChange = {
  displayName: "Ada",
  bio: "",
  theme: "default",
  links: [],
  showBusinessCard: true,
  isListed: true,
  handle: "",
};

const visit = (db: Db, id = "ada") => ensureProfile(db, { id, email: `${id}@example.com`, now });
const sign = (purpose: string, text: string) => `${purpose} ${text}`;

/** With `by`: somebody else than Ada. */
function save(db: Db, version: number, { by = "ada", ...change }: Partial<ProfileChange> & { by?: string }) {
  return saveProfile(db, { ownerId: by, version, change: { ...empty, ...change }, now, sign });
}

describeOnEachDatabase("profiles", (makeDb, engine) => {
  describe("the first visit", () => {
    test("makes a profile with the name from the e-mail address", async () => {
      const db = await makeDb();
      await makeAccountRow(db, engine);
      expect(await visit(db)).toEqual({
        userId: "ada",
        displayName: "ada",
        bio: "",
        theme: "default",
        links: [],
        showBusinessCard: true,
        handle: "",
        version: 1,
        isSample: false,
        isListed: true,
        avatarStem: null,
        bannerStem: null,
        resumeFilename: "",
      });
    });

    test("ten visits at once make one profile", async () => {
      const db = await makeDb();
      await makeAccountRow(db, engine);
      await Promise.all(Array.from({ length: 10 }, () => visit(db)));
      expect(await db.selectFrom("profile").selectAll().execute()).toHaveLength(1);
    });

    test("a second visit changes nothing", async () => {
      const db = await makeDb();
      await make(db);
      await save(db, 1, { displayName: "Ada Lovelace" });
      expect((await visit(db))?.displayName).toBe("Ada Lovelace");
    });
  });

  describe("saving", () => {
    test("everything comes back as it was saved, emoji and right-to-left text included", async () => {
      const db = await makeDb();
      await make(db);
      const times = { from: now, until: now + 60_000 };
      const links: ProfileLink[] = [
        { id: "a", label: "山田 👩‍🚀", url: "https://example.com/?q='\"", on: false, ...times, tab: "professional" },
      ];
      const change = {
        displayName: "فاطمة",
        bio: "one\ntwo",
        theme: "ocean",
        links,
        showBusinessCard: false,
        isListed: false,
        handle: "ada",
      };
      expect(await save(db, 1, change)).toEqual({ kind: "saved" });
      expect(await findProfile(db, "ada")).toMatchObject({ ...change, version: 2 });
    });

    test("leaves the pictures and the resume alone, whatever it says", async () => {
      const db = await makeDb();
      await make(db);
      const files = {
        avatar_stem: "avatars/ada/avatar_1",
        banner_stem: "banners/ada/banner_1",
        resume_filename: "cv.pdf",
      };
      await db.updateTable("profile").set(files).where("user_id", "=", "ada").execute();
      const sneaky = { bio: "x", avatarStem: null, bannerStem: null, resumeFilename: "" };
      await save(db, 1, sneaky);
      expect(await findProfile(db, "ada")).toMatchObject({
        bio: "x",
        avatarStem: files.avatar_stem,
        bannerStem: files.banner_stem,
        resumeFilename: "cv.pdf",
      });
    });

    test("links from before there were schedules and tabs are read as always shown, on the tab of the rule", async () => {
      const db = await makeDb();
      await make(db);
      const links = JSON.stringify([{ id: "a", label: "Blog", url: "https://a.example", on: true }]);
      await db.updateTable("profile").set({ links }).where("user_id", "=", "ada").execute();
      expect((await findProfile(db, "ada"))?.links).toEqual([
        { id: "a", label: "Blog", url: "https://a.example", on: true, from: null, until: null, tab: null },
      ]);
    });

    test("a save with an old version changes nothing and shows what is stored", async () => {
      const db = await makeDb();
      await make(db);
      await save(db, 1, { displayName: "First", handle: "first" });
      const late = await save(db, 1, { displayName: "Second", handle: "second" });
      expect(late).toMatchObject({ kind: "conflict", current: { displayName: "First", handle: "first", version: 2 } });
      expect(await findPublicProfile(db, "second")).toBeUndefined();
    });

    test("of twenty saves at once one wins and nineteen are told", async () => {
      const db = await makeDb();
      await make(db);
      const results = await Promise.all(Array.from({ length: 20 }, (_, at) => save(db, 1, { bio: `${at}` })));
      expect(results.filter(({ kind }) => kind === "saved")).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === "conflict")).toHaveLength(19);
      expect((await findProfile(db, "ada"))?.version).toBe(2);
    });

    test("nobody else's profile is touched", async () => {
      const db = await makeDb();
      await make(db);
      await make(db, "bob");
      await save(db, 1, { displayName: "Ada Lovelace" });
      expect(await findProfile(db, "bob")).toMatchObject({ displayName: "bob", version: 1 });
    });

    test("the card dialog changes the name alone, and an open editor hears of it", async () => {
      const db = await makeDb();
      await make(db);
      await saveProfileDetails(db, { ownerId: "ada", displayName: "Countess", now });
      expect(await findProfile(db, "ada")).toMatchObject({ displayName: "Countess", bio: "", version: 2 });
      expect((await save(db, 1, {})).kind).toBe("conflict");
    });
  });

  describe("handles", () => {
    test("the profile is found by its id, by its handle, and by every handle it had", async () => {
      const db = await makeDb();
      await make(db, "u-1");
      await save(db, 1, { handle: "ada", by: "u-1" });
      await save(db, 2, { handle: "countess", by: "u-1" });
      expect(await findPublicProfile(db, "ada")).toEqual({ kind: "moved", to: "countess" });
      expect(await findPublicProfile(db, "Countess")).toEqual({ kind: "moved", to: "countess" });
      for (const id of ["u-1", "countess"]) expect(await findPublicProfile(db, id)).toMatchObject({ kind: "found" });
    });

    test("without a handle the old one leads to the id", async () => {
      const db = await makeDb();
      await make(db, "u-1");
      await save(db, 1, { handle: "ada", by: "u-1" });
      await save(db, 2, { handle: "", by: "u-1" });
      expect(await findPublicProfile(db, "ada")).toEqual({ kind: "moved", to: "u-1" });
    });

    test("a handle that somebody has, or had, is refused, and nothing else of that save is kept", async () => {
      const db = await makeDb();
      await make(db);
      await make(db, "bob");
      await save(db, 1, { handle: "ada-l" });
      await save(db, 2, { handle: "countess" });
      for (const handle of ["ada-l", "countess"]) {
        expect(await save(db, 1, { handle, bio: "mine", by: "bob" })).toEqual({ kind: "handle-taken" });
      }
      expect(await findProfile(db, "bob")).toMatchObject({ handle: "", bio: "", version: 1 });
    });

    test("of ten people who want one handle at once, one has it and nine are told", async () => {
      const db = await makeDb();
      const people = Array.from({ length: 10 }, (_, at) => `person-${at}`);
      for (const person of people) await make(db, person);
      const results = await Promise.all(
        people.map((person) => save(db, 1, { handle: "wanted", bio: person, by: person })),
      );
      expect(results.filter(({ kind }) => kind === "saved")).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === "handle-taken")).toHaveLength(9);
      const profiles = await Promise.all(people.map((person) => findProfile(db, person)));
      // Who was refused has nothing of that save; who was not, all of it.
      expect(profiles.map((profile) => [profile?.handle, profile?.bio !== ""]).filter(([handle]) => handle)).toEqual([
        ["wanted", true],
      ]);
      expect(profiles.filter((profile) => profile?.bio !== "")).toHaveLength(1);
    });

    test("an own old handle can be taken up again; a new one only while there is room", async () => {
      const db = await makeDb();
      await make(db);
      for (let at = 0; at < maxHandles; at++) {
        expect(await save(db, at + 1, { handle: `ada-${at}` })).toEqual({ kind: "saved" });
      }
      expect(await save(db, maxHandles + 1, { handle: "one-more" })).toEqual({ kind: "too-many-handles" });
      expect(await save(db, maxHandles + 1, { handle: "ada-0" })).toEqual({ kind: "saved" });
      expect((await findProfile(db, "ada"))?.handle).toBe("ada-0");
    });
  });
});
