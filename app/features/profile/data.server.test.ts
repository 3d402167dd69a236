import { describe, expect, test } from "vitest";

import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertUser, insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import {
  deleteProfileOfAccount,
  ensureProfile,
  findProfile,
  findPublicProfile,
  saveProfile,
  transactProfile,
  writeProfile,
  saveProfileDetails,
} from "./data.server.ts";
import type { ProfileChange, ProfileLink } from "./data.server.ts";
import { maxHandles } from "./handle/handle-rules.ts";

const now = 1_790_000_000_000;
const settings = { theme: "default", links: [], showBusinessCard: true, isListed: true };
const empty: ProfileChange = { displayName: "Ada", bio: "", handle: "", ...settings };
/** In place of the installation's signature, with which the handles of deleted accounts are stored. */

const visit = async (db: Db, id = "ada") =>
  ensureProfile(await makeWriteServices(db), { id, email: `${id}@example.com`, now });

/** As Ada, or as the user `by`. */
async function save(db: Db, version: number, { by = "ada", ...change }: Partial<ProfileChange> & { by?: string }) {
  return saveProfile(await makeWriteServices(db), { ownerId: by, version, change: { ...empty, ...change }, now });
}

describeOnEachDatabase("profiles", (makeDb, engine) => {
  /** A database with the profiles of these users. */
  async function open(...users: string[]) {
    const db = await makeDb();
    for (const user of users) await insertProfile(db, user);
    return db;
  }

  test("the first visit creates a profile once, named after the email address, and leaves an existing one unchanged", async () => {
    const db = await makeDb();
    await insertUser(db, engine);
    await Promise.all(Array.from({ length: 10 }, () => visit(db)));
    expect(await db.selectFrom("profile").selectAll().execute()).toHaveLength(1);
    expect(await visit(db)).toEqual({
      ...empty,
      ownerId: "ada",
      contactCardId: "",
      displayName: "ada",
      version: 1,
      isSample: false,
      pagesVersion: expect.any(String),
      avatarKey: null,
      bannerKey: null,
      resumeFilename: "",
    });
    await save(db, 1, { displayName: "Ada Lovelace" });
    expect((await visit(db))?.displayName).toBe("Ada Lovelace");
  });

  describe("saving", () => {
    test("stores every field as sent, with emoji and right-to-left text", async () => {
      const db = await open("ada");
      const times = { from: now, until: now + 60_000 };
      const heading = { id: "a", kind: "heading", label: "山田 👩‍🚀", url: "https://example.com/?q='\"" } as const;
      const links: ProfileLink[] = [{ ...heading, ...times, on: false, tab: "professional" }];
      const texts = { displayName: "فاطمة", bio: "one\ntwo", theme: "ocean", handle: "ada" };
      const change = { ...texts, links, showBusinessCard: false, isListed: false };
      expect(await save(db, 1, change)).toEqual({ kind: "saved" });
      expect(await findProfile(db, "ada")).toMatchObject({ ...change, version: 2 });
    });

    test("never changes the images, the resume, and another user's profile", async () => {
      const db = await open("ada", "bob");
      const keyPrefixes = { avatar_key_prefix: "avatars/ada/avatar_1", banner_key_prefix: "banners/ada/banner_1" };
      const change = { ...keyPrefixes, resume_filename: "cv.pdf" };
      await db.updateTable("profile").set(change).where("owner_id", "=", "ada").execute();
      const before = await findProfile(db, "ada");
      await save(db, 1, { bio: "x", avatarKey: null, bannerKey: null, resumeFilename: "" } as Partial<ProfileChange>);
      const { avatarKey, bannerKey, resumeFilename } = before ?? {};
      expect(await findProfile(db, "ada")).toMatchObject({ bio: "x", avatarKey, bannerKey, resumeFilename });
      expect([avatarKey, bannerKey, resumeFilename]).toEqual([...Object.values(keyPrefixes), "cv.pdf"]);
      expect(await findProfile(db, "bob")).toMatchObject({ displayName: "bob", bio: "", version: 1 });
    });

    test("reports a conflict for an old version and changes nothing", async () => {
      const db = await open("ada");
      await save(db, 1, { displayName: "First", handle: "first" });
      const late = await save(db, 1, { displayName: "Second", handle: "second" });
      expect(late).toMatchObject({ kind: "conflict", current: { displayName: "First", handle: "first", version: 2 } });
      expect(await findPublicProfile(db, "second")).toBeUndefined();
    });

    test("accepts one of twenty concurrent saves and reports a conflict to the others", async () => {
      const db = await open("ada");
      const results = await Promise.all(Array.from({ length: 20 }, (_, index) => save(db, 1, { bio: `${index}` })));
      const kinds = results.map(({ kind }) => kind).toSorted();
      expect(kinds).toEqual([...Array<string>(19).fill("conflict"), "saved"]);
      expect((await findProfile(db, "ada"))?.version).toBe(2);
    });

    test("from the card dialog changes only the name, and causes a conflict in an open editor", async () => {
      const db = await open("ada");
      const { events } = await makeWriteServices(db);
      await transact(db, (trx) => saveProfileDetails(trx, events, { ownerId: "ada", displayName: "Countess", now }));
      expect(await findProfile(db, "ada")).toMatchObject({ displayName: "Countess", bio: "", version: 2 });
      expect((await save(db, 1, {})).kind).toBe("conflict");
    });
  });

  test("merges twenty concurrent saves of different fields and loses none", async () => {
    const db = await open("ada");
    const always = { on: true, from: null, until: null, tab: null };
    const plain = { kind: "link", label: "Blog", url: "https://a.example", ...always } as const;
    const links = Array.from({ length: 19 }, (_, index): ProfileLink => ({ ...plain, id: `link-${index}` }));
    const base = { ...empty, links };
    await save(db, 1, base);
    const changes = links.map((link): Partial<ProfileChange> => ({
      links: links.map((other) => (other === link ? { ...other, label: `Changed ${other.id}` } : other)),
    }));
    const deps = await makeWriteServices(db);
    const results = await Promise.all(
      [...changes, { bio: "Changed" }].map(async (changed) => {
        const change = { ...base, ...changed };
        return transactProfile(db, "ada", async (trx, current) => {
          const fields = Object.keys(base) as (keyof ProfileChange)[];
          const other = Object.fromEntries(fields.map((field) => [field, current[field]]));
          const { values } = mergeValues({ base, mine: change, other: { ...base, ...other } });
          return writeProfile(trx, deps.events, { ownerId: "ada", change: values, now });
        });
      }),
    );
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ kind: "saved" })));
    const stored = await findProfile(db, "ada");
    expect(stored).toMatchObject({ bio: "Changed", version: 22 });
    expect(stored?.links.map(({ label }) => label)).toEqual(links.map(({ id }) => `Changed ${id}`));
  });

  describe("handles", () => {
    test("find the profile by its id, its handle and its former handles, which lead to the current one or the id", async () => {
      const db = await open("u-1");
      await save(db, 1, { handle: "ada", by: "u-1" });
      await save(db, 2, { handle: "countess", by: "u-1" });
      for (const former of ["ada", "Countess"])
        expect(await findPublicProfile(db, former)).toEqual({ kind: "moved", to: "countess" });
      for (const id of ["u-1", "countess"]) expect(await findPublicProfile(db, id)).toMatchObject({ kind: "found" });
      await save(db, 3, { handle: "", by: "u-1" });
      expect(await findPublicProfile(db, "ada")).toEqual({ kind: "moved", to: "u-1" });
    });

    test("refuse a handle that another user has or had, with the whole save", async () => {
      const db = await open("ada", "bob");
      await save(db, 1, { handle: "ada-l" });
      await save(db, 2, { handle: "countess" });
      for (const handle of ["ada-l", "countess"])
        expect(await save(db, 1, { handle, bio: "mine", by: "bob" })).toEqual({ kind: "handle-taken" });
      expect(await findProfile(db, "bob")).toMatchObject({ handle: "", bio: "", version: 1 });
    });

    test("give a handle to one of ten users who save it concurrently, and refuse the others' whole saves", async () => {
      const users = Array.from({ length: 10 }, (_, index) => `user-${index}`);
      const db = await open(...users);
      const results = await Promise.all(users.map((user) => save(db, 1, { handle: "wanted", bio: user, by: user })));
      const kinds = results.map(({ kind }) => kind).toSorted();
      expect(kinds).toEqual([...Array<string>(9).fill("handle-taken"), "saved"]);
      const profiles = await Promise.all(users.map((user) => findProfile(db, user)));
      const changed = profiles.filter((profile) => profile?.bio !== "" || profile.handle !== "");
      expect(changed).toMatchObject([{ handle: "wanted", bio: expect.stringMatching(/^user-/) }]);
    });

    test("refuses the handles of a deleted account, even after the installation's secret was lost", async () => {
      const db = await open("ada", "mallory");
      await save(db, 1, { handle: "ada-old" });
      await save(db, 2, { handle: "ada" });
      await transact(db, (trx) => deleteProfileOfAccount(trx, "ada"));
      for (const handle of ["ada", "ada-old"]) {
        const saved = { ownerId: "mallory", version: 1, change: { ...empty, handle }, now };
        expect(await saveProfile(await makeWriteServices(db), saved)).toEqual({ kind: "handle-taken" });
      }
      expect(JSON.stringify(await db.selectFrom("retired_handle").selectAll().execute())).not.toContain("ada");
    });

    test("can be taken back by their owner; new ones are limited", async () => {
      const db = await open("ada");
      for (let count = 0; count < maxHandles; count++)
        expect(await save(db, count + 1, { handle: `ada-${count}` })).toEqual({ kind: "saved" });
      expect(await save(db, maxHandles + 1, { handle: "one-more" })).toEqual({ kind: "too-many-handles" });
      expect(await save(db, maxHandles + 1, { handle: "ada-0" })).toEqual({ kind: "saved" });
      expect((await findProfile(db, "ada"))?.handle).toBe("ada-0");
    });
  });
});
