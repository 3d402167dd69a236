import { expect, test } from "vitest";

import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { insertProfile, insertUser } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { followRequest } from "./visitor-data.server.ts";

const [ownerId, now] = ["ada", Date.UTC(2026, 10, 23)];
const config = { baseUrl: "https://meishi.example" } as Parameters<typeof followRequest>[0]["config"];

describeOnEachDatabase("a visitor's request", (makeDb, engine) => {
  /** A lead, and addresses that the owner's leads are forwarded to. */
  async function open(lead = { name: "Grace Hopper" }, text: string | undefined = servicesText) {
    const db = await makeDb();
    const services = await makeWriteServices(db, () => now);
    await insertUser(db, engine, ownerId);
    await insertProfile(db, ownerId);
    const details = { email: "grace@navy.example", phone: "+1 555 0100", note: "Call me", ...lead };
    await insertLead(services, { id: "lead-1", ownerId, now, lead: details, ...(text && { text }) });
    const add = (name: string, times: { confirmed_at: number | null; sent_at: number | null }) =>
      db
        .insertInto("lead_forward")
        .values({ id: name, owner_id: ownerId, address: `${name}@crm.example`, created_at: 1, ...times })
        .execute();
    await add("got", { confirmed_at: now - 1, sent_at: now });
    await add("unconfirmed", { confirmed_at: null, sent_at: null });
    await add("later", { confirmed_at: now + 1, sent_at: now + 2 });
    await add("unsent", { confirmed_at: now - 1, sent_at: now - 1 });
    const follow = (request: Parameters<typeof followRequest>[2]) =>
      followRequest({ ...services, clock: () => now, sign: createTextSigner("secret"), config }, "lead-1", request);
    const mails = async () => {
      const rows = await db.selectFrom("job").select("payload").where("kind", "=", "mail").execute();
      return rows.map(({ payload }) => JSON.parse(payload) as { to: string; subject: string; text: string });
    };
    return { follow, mails };
  }

  test.each([
    ["withdraw", "Delete the details of a lead", "withdrawn their consent"],
    ["erase", "Delete the details of a lead", "has erased them"],
  ] as const)("to %s is also mailed to the address that got the lead, once", async (request, subject, text) => {
    const { follow, mails } = await open();
    for (let n = 0; n < 2; n++) await follow(request);
    const all = await mails();
    expect(all.map(({ to }) => to).toSorted()).toEqual(["ada@example.com", "got@crm.example"]);
    const [mail] = all.filter(({ to }) => to.startsWith("got"));
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toContain(text);
    expect(mail?.text).toContain("November 23, 2026, Grace Hopper shared");
    // Only what finds the person there.
    for (const detail of ["grace@", "555", "Call me"]) expect(JSON.stringify(mail)).not.toContain(detail);
  });

  test("is mailed to no one but the owner when the lead stayed with them", async () => {
    const { follow, mails } = await open({ name: "Grace" }, "");
    await follow("erase");
    expect((await mails()).map(({ to }) => to)).toEqual(["ada@example.com"]);
  });

  test("names no one whose name could become a link", async () => {
    const { follow, mails } = await open({ name: "Refund at evil4.com" });
    await follow("erase");
    const [mail] = (await mails()).filter(({ to }) => to.startsWith("got"));
    expect(mail?.text).toContain("A person without a name shared");
    expect(JSON.stringify(mail)).not.toContain("evil4");
  });
});
