import ICAL from "ical.js";
import { describe, expect, test } from "vitest";

import { fillAccount } from "#tests/support/app/account-data.ts";
import { cardFields, makeCard } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { exportData } from "#tests/support/fixtures/archives.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";

describe.each(["a folder", "S3"])("an export, of files in %s", (store) => {
  test("contains the owner's data and files, no secret, and nothing of another owner", async () => {
    const { signedIn, services } = await createTestApp({ env: store === "S3" ? s3Environment(await startS3()) : {} });
    const bob = await signedIn("bob@example.com");
    const bobs = await fillAccount(bob, services, "bob");
    const ada = await signedIn();
    const { id, card } = await fillAccount(ada, services, "ada");
    await makeCard(ada, { card_name: "My Business Card", company: "Second & Co" });
    services.counter.count({ ownerId: id, subject: `card:${card}`, kind: "visit", source: "qr", target: "" });

    const archive = await exportData(ada, services);

    expect(archive.names).toEqual(
      [
        "README.txt",
        "contacts/My Business Card (2).vcf",
        "contacts/My Business Card.vcf",
        "data.json",
        ...["_192.webp", "_384.webp", ".jpg"].map((suffix) => `images/avatar${suffix}`),
        ...["_860.webp", "_1280.webp", ".jpg"].map((suffix) => `images/banner${suffix}`),
        ...[".webp", ".png"].map((suffix) => `images/logo of card ${card}${suffix}`),
        "images/picture garden.webp",
        "resume/cv.pdf",
      ].toSorted(),
    );
    const data = archive.data();
    expect(data.account).toMatchObject({ id, email: ada.email, requestedEmailChange: { email: `new-${ada.email}` } });
    expect(data.profile).toMatchObject({ ownerId: id, url: expect.stringMatching(/\/u\/ada$/) });
    expect(data.handles.map(({ handle }: { handle: string }) => handle)).toEqual(["ada-old", "ada"]);
    expect(data.cards).toHaveLength(2);
    expect(data.cards[0]).toMatchObject({
      company: "Second & Co",
      isPublic: true,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(data.subscription).toMatchObject({ plan: "premium" });
    expect(data.payments.invoices).toMatchObject([{ number: "MEISHI-0001", amountPaid: 799, currency: "usd" }]);
    expect(data.waysToSignIn).toMatchObject([{ provider: "password" }]);
    expect(data.sessions).toHaveLength(1);
    expect(data.securityEvents.map(({ event }: { event: string }) => event)).toContain("data-exported");
    expect(data.statisticsPerHour).toContainEqual(
      expect.objectContaining({ page: `card ${card}`, kind: "visit", source: "qr", count: 1 }),
    );
    expect(data.uploads.map(({ slot }: { slot: string }) => slot)).toContain("resume");
    expect(archive.bytes("resume/cv.pdf").subarray(0, 5).toString()).toBe("%PDF-");

    expect(data.leads).toMatchObject([{ name: `Guest of ${id}`, tags: ["fair"], consents: [{ purpose: "answer" }] }]);

    const everything = archive.all();
    for (const foreign of [bobs.id, bobs.card, "bob@example.com", "bob-old"]) expect(everything).not.toContain(foreign);
    for (const secret of await readSecrets(services)) expect(everything).not.toContain(secret);
  });
});

/** The passwords and tokens in the database, and in the cookies. */
async function readSecrets({ db }: TestApp["services"]): Promise<string[]> {
  const read = (table: string, column: string) =>
    db
      .selectFrom(table as "setting")
      .select(`${column} as value` as "value")
      .execute();
  const columns: [string, string][] = [
    ["session", "token"],
    ["account", "password"],
    ["known_device", "token_hash"],
  ];
  const rows = await Promise.all(columns.map(([table, column]) => read(table, column)));
  const secrets = rows.flat().map(({ value }) => value);
  expect(secrets.length).toBeGreaterThan(2);
  return secrets;
}

test("the contact files of an export open in a vCard reader, also those of private cards", async () => {
  const { ada, services } = await createSignedInApp();
  await makeCard(ada, { card_name: "Work: 1/2", is_public: "" });
  const archive = await exportData(ada, services);
  const name = archive.names.find((one) => one.startsWith("contacts/")) ?? "";
  const parsed = ICAL.parse(archive.text(name));
  expect(parsed[0]).toBe("vcard");
  const card = new ICAL.Component(parsed);
  expect(card.getFirstPropertyValue("email")).toBe(cardFields.email);
  expect(card.getFirstPropertyValue("org")).toBe(cardFields.company);
});

test("the statistics of an export are complete beyond a page of rows", async () => {
  const { ada, services } = await createSignedInApp();
  const id = await userIdOf(ada);
  const days = Array.from({ length: 2500 }, (_, index) => 10_000 + index);
  const row = { owner_id: id, value: `profile:${id}`, dimension: "page" };
  for (let at = 0; at < days.length; at += 500)
    await insertRows(services, { daily_count: days.slice(at, at + 500).map((day) => ({ ...row, day, visits: day })) });
  const { statistics } = (await exportData(ada, services)).data();
  expect(statistics.map(({ visits }: { visits: number }) => visits)).toEqual(days);
  expect(statistics[0]).toMatchObject({ by: "page", value: "profile", day: "1997-05-19" });
});

test("tables with an owner are exported or left out for a reason", async () => {
  const { services } = await createTestApp();
  const tables = await services.db.introspection.getTables();
  const owners = ["owner_id", "ownerId", "user_id", "userId", "subject"];
  const owned = tables
    .filter(({ columns }) => columns.some(({ name }) => owners.includes(name)))
    .map(({ name }) => name);
  const exported = services.dataExports.flatMap((one) => one.tables);
  const leftOut = services.dataExports.flatMap((one) => Object.keys(one.leftOut ?? {}));
  expect(owned.length).toBeGreaterThan(15);
  expect(owned.filter((table) => !exported.includes(table) && !leftOut.includes(table))).toEqual([]);
  const names = tables.map(({ name }) => name);
  expect([...exported, ...leftOut].filter((table) => !names.includes(table))).toEqual([]);
  expect(exported.filter((table) => leftOut.includes(table))).toEqual([]);
});
