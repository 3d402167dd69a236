import { expect, test } from "vitest";

import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { insertProfile, insertUser } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { addRecipient } from "#app/features/leads/services-data.server.ts";
import { followRequest } from "./visitor-data.server.ts";

const [ownerId, now] = ["ada", Date.UTC(2026, 10, 23)];
const config = { baseUrl: "https://meishi.example" } as Parameters<typeof followRequest>[0]["config"];

describeOnEachDatabase("a visitor's request", (makeDb, engine) => {
  /** A lead that was forwarded to an address. */
  async function open(lead = { name: "Grace Hopper" }) {
    const db = await makeDb();
    const services = await makeWriteServices(db, () => now);
    await insertUser(db, engine, ownerId);
    await insertProfile(db, ownerId);
    const details = { email: "grace@navy.example", phone: "+1 555 0100", note: "Call me", ...lead };
    await insertLead(services, { id: "lead-1", ownerId, now, lead: details, text: servicesText });
    const address = "got@crm.example";
    await addRecipient(db, { ownerId, leadId: "lead-1", address, now });
    const follow = (request: Parameters<typeof followRequest>[2]) =>
      followRequest({ ...services, clock: () => now, sign: createTextSigner("secret"), config }, "lead-1", request);
    const mails = async () => {
      const rows = await db.selectFrom("job").select("payload").where("kind", "=", "mail").execute();
      return rows.map(({ payload }) => JSON.parse(payload) as { to: string; subject: string; text: string });
    };
    return { db, follow, mails };
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
    const { db, follow, mails } = await open();
    await db.deleteFrom("lead_recipient").execute();
    await follow("erase");
    expect((await mails()).map(({ to }) => to)).toEqual(["ada@example.com"]);
  });

  test.each(["withdraw", "erase"] as const)(
    "to %s reaches each address while the lead is sent to it, or it isn't sent",
    async (request) => {
      const { db, follow, mails } = await open();
      const address = "late@crm.example";
      const [added] = await Promise.all([
        addRecipient(db, { ownerId, leadId: "lead-1", address, now }),
        follow(request),
      ]);
      const isMailed = (await mails()).some(({ to }) => to === address);
      expect(isMailed).toBe(added === "added");
      expect(await addRecipient(db, { ownerId, leadId: "lead-1", address, now })).toBe("gone");
      expect(await db.selectFrom("lead_recipient").selectAll().execute()).toEqual([]);
    },
  );

  test("names no one whose name could become a link", async () => {
    const { follow, mails } = await open({ name: "Refund at evil4.com" });
    await follow("erase");
    const all = await mails();
    expect(all.find(({ to }) => to.startsWith("got"))?.text).toContain("A person without a name shared");
    expect(all.find(({ to }) => to.startsWith("ada"))?.text).toContain("grace@navy.example erased the details");
    expect(JSON.stringify(all)).not.toContain("evil4");
  });
});
