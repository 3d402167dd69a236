import { createDAVClient } from "tsdav";
import { expect, test } from "vitest";

import { eraseLeads, withdrawConsent } from "#app/features/leads/data.server.ts";
import { saveLeadNotes } from "#app/features/leads/inbox/lead-data.server.ts";
import { mergeLeads } from "#app/features/leads/inbox/merge/merge-data.server.ts";
import { insertLead } from "#tests/support/database/leads.ts";
import { countQueries } from "#tests/support/database/count-queries.ts";

import { openAddressBook, xmlns } from "./address-book.ts";

const vcardOf = async ({ dav }: Pick<Awaited<ReturnType<typeof openAddressBook>>, "dav">, path: string) =>
  (await dav("GET", { path })).text;

test("a client finds the address book from the well-known address, reads it, and syncs changes and deletions", async () => {
  const { app, services, share, ownerId, password } = await openAddressBook();
  for (const id of ["a", "b", "c", "d"])
    await share({ id, email: `${id}@example.com`, email_key: `${id}@example.com` });
  const client = await createDAVClient({
    serverUrl: "http://localhost:3000",
    credentials: { username: "ada@example.com", password },
    authMethod: "Basic",
    defaultAccountType: "carddav",
    fetch: async (input, init) => app.request(new Request(input, init)),
  });
  const [book, ...others] = await client.fetchAddressBooks();
  if (!book) throw new Error("No address book");
  expect([others, book.displayName, new URL(book.url).pathname]).toEqual([[], "Meishi leads", "/dav/leads/"]);
  const cards = await client.fetchVCards({ addressBook: book });
  expect(cards.map(({ data }) => /^FN:(.+)\r$/m.exec(String(data))?.[1]).toSorted()).toEqual([
    "Guest a",
    "Guest b",
    "Guest c",
    "Guest d",
  ]);

  const first = await client.syncCollection({ url: book.url, props: { "d:getetag": {} }, syncLevel: 1, syncToken: "" });
  const token = first[0]?.raw.multistatus.syncToken;
  await withdrawConsent(services, { id: "a", purposes: ["answer"] });
  await eraseLeads(services, { ownerId, ids: ["b"] });
  const notes = { status: "new", ownerNote: "Call her", followUp: "", tags: ["Fair"] } as const;
  await saveLeadNotes(services.db, { ownerId, id: "c", notes: { ...notes, tags: ["Fair"] }, base: undefined, now: 1 });
  const next = await client.syncCollection({
    url: book.url,
    props: { "d:getetag": {} },
    syncLevel: 1,
    syncToken: token,
  });
  const statuses = next.filter(({ href }) => href?.endsWith(".vcf")).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([207, 404, 404].toSorted());
  expect((await client.fetchVCards({ addressBook: book })).map(({ data }) => String(data)).join("\n")).toMatch(
    /NOTE:Call her\r[^]*CATEGORIES:Fair\r/,
  );
});

test("programs that start at the home page, the principal or the well-known address find the book, all with one realm", async () => {
  const { dav, app } = await openAddressBook();
  for (const path of ["/", "/dav", "/dav/", "/.well-known/carddav"]) {
    const found = await dav("PROPFIND", { path, depth: "0" });
    expect([found.status, found.text]).toEqual([
      207,
      expect.stringContaining(`<d:href>${path === "/dav" ? "/dav/" : path}</d:href>`),
    ]);
    for (const property of ["current-user-principal><d:href>/dav/principal/", "addressbook-home-set><d:href>/dav/"])
      expect(found.text).toContain(property);
    const options = await dav("OPTIONS", { path });
    expect([options.status, options.headers.get("dav"), options.headers.get("allow")]).toEqual([
      200,
      "1, 3, addressbook",
      "OPTIONS, GET, HEAD, PROPFIND, REPORT",
    ]);
    for (const method of ["PROPFIND", "OPTIONS"]) {
      const refused = await app.request(`http://localhost${path}`, { method });
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        'Basic realm="Meishi leads", charset="UTF-8"',
      ]);
    }
  }
  expect((await app.request("http://localhost/")).status).toBe(200);
  expect((await dav("PROPFIND", { path: "/pricing", depth: "0" })).status).toBe(405);
  const principal = await dav("PROPFIND", { path: "/dav/principal/", depth: "0" });
  expect(principal.text).toContain("<d:resourcetype><d:collection/><d:principal/></d:resourcetype>");
  const home = await dav("PROPFIND", { path: "/dav/", depth: "1" });
  expect(home.text.match(/<card:addressbook\/>/g)).toHaveLength(1);
});

test("a PROPFIND lists what was requested, and what isn't there as 404", async () => {
  const { dav, share } = await openAddressBook();
  await share({ id: "a" });
  const body = `<D:propfind ${xmlns}><D:prop><D:getetag/><D:quota/><x:y xmlns:x="urn:&amp;z"/></D:prop></D:propfind>`;
  const { status, text, headers } = await dav("PROPFIND", { depth: "1", body });
  expect([status, headers.get("content-type")]).toEqual([207, "application/xml; charset=utf-8"]);
  const missing = '<d:quota/><x:y xmlns:x="urn:&amp;z"/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status>';
  expect(text).toMatch(/<d:getetag>&quot;\d+&quot;<\/d:getetag><\/d:prop><d:status>HTTP\/1.1 200 OK/);
  expect(text).toContain(missing);
  const names = await dav("PROPFIND", { depth: "0", body: `<D:propfind ${xmlns}><D:propname/></D:propfind>` });
  expect(names.text).toContain("<d:sync-token/><cs:getctag/>");
  const all = await dav("PROPFIND", { depth: "0" });
  for (const part of [
    "<d:privilege><d:read/></d:privilege>",
    "<d:report><d:sync-collection/></d:report>",
    "<d:report><card:addressbook-query/></d:report>",
    '<card:address-data-type content-type="text/vcard" version="3.0"/>',
  ])
    expect(all.text).toContain(part);
  for (const depth of ["infinity", undefined])
    expect((await dav("PROPFIND", depth === undefined ? {} : { depth })).text).toContain("<d:propfind-finite-depth/>");
  for (const broken of ["<a>", "<!DOCTYPE a><a/>", "\u0000"]) {
    expect((await dav("PROPFIND", { depth: "0", body: broken })).status).toBe(400);
    expect((await dav("REPORT", { body: broken })).status).toBe(400);
  }
  expect((await dav("PROPFIND", { depth: "0", path: "/dav/leads/9-9.vcf" })).status).toBe(404);
  expect((await dav("PROPFIND", { depth: "0", body: " ".repeat(1_000_001) })).status).toBe(413);
});

test("a contact has an ETag, and can be read and not written", async () => {
  const { dav, share, sync, read } = await openAddressBook();
  await share({ id: "a", company: "Navy", phone: "+1 555", note: "Hi" });
  const [path = ""] = (await sync()).changed;
  const got = await dav("GET", { path });
  expect([got.status, got.headers.get("content-type")]).toEqual([200, "text/vcard; charset=utf-8"]);
  expect(got.text).toMatch(
    /^BEGIN:VCARD\r\nVERSION:3\.0\r\n[^]*ORG:Navy\r\n[^]*TEL;TYPE=WORK,VOICE:\+1 555\r\n[^]*NOTE:Hi\r\n/,
  );
  const etag = got.headers.get("etag") ?? "";
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"])
    expect((await dav("GET", { path, headers: { "if-none-match": known } })).status).toBe(304);
  expect((await dav("HEAD", { path })).text).toBe("");
  for (const method of ["PUT", "DELETE", "PROPPATCH", "MKCOL", "MOVE", "LOCK", "POST"]) {
    const refused = await dav(method, { path, ...(method === "PUT" && { body: got.text }) });
    expect([method, refused.status, refused.text]).toEqual([
      method,
      403,
      "This address book is read-only. Change leads at http://localhost:3000/leads.",
    ]);
  }
  expect((await dav("BREW", { path })).status).toBe(405);
  expect((await dav("GET", { path: "/dav/leads/" })).status).toBe(405);
  for (const none of ["/dav/leads/9-9.vcf", "/dav/none"]) expect((await dav("GET", { path: none })).status).toBe(404);
  expect(await read("/leads")).toContain("Guest a");
});

test("a contact disappears when consent is withdrawn and when the lead is erased, and leaves nothing about the person", async () => {
  const { services, share, sync, ownerId, dav, report } = await openAddressBook();
  for (const id of ["a", "b", "c"]) await share({ id });
  const first = await sync();
  expect(first.changed).toHaveLength(3);
  const pathOf = async (id: string) => {
    const row = await services.db
      .selectFrom("address_book_entry")
      .select("name")
      .where("lead_id", "=", id)
      .executeTakeFirst();
    return `/dav/leads/${row?.name}.vcf`;
  };
  const [a, b] = [await pathOf("a"), await pathOf("b")];
  await withdrawConsent(services, { id: "a", purposes: ["answer"] });
  await eraseLeads(services, { ownerId, ids: ["b"] });
  const second = await sync(first.token);
  expect([second.changed, second.removed]).toEqual([[], [a, b]]);
  expect([(await sync(second.token)).removed, (await sync()).removed]).toEqual([[], []]);
  for (const path of [a, b]) {
    expect((await dav("GET", { path })).status).toBe(404);
    const got = await report(`<C:addressbook-multiget ${xmlns}><D:href>${path}</D:href></C:addressbook-multiget>`);
    expect(got.text).toContain(`<d:href>${path}</d:href><d:status>HTTP/1.1 404 Not Found</d:status>`);
  }
  const rows = await services.db.selectFrom("address_book_entry").selectAll().where("lead_id", "is", null).execute();
  expect(rows).toEqual([{ owner_id: ownerId, name: b.slice(11, -4), lead_id: null, revision: expect.any(Number) }]);
});

test("a token that this book never had makes the client start over", async () => {
  const { services, share, sync } = await openAddressBook();
  await share({ id: "a" });
  const { token } = await sync();
  for (const unknown of ["data:,99999", "data:,-1", "http://example.com/1", "x"]) {
    const refused = await sync(unknown);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("<d:valid-sync-token/>")]);
  }
  expect((await sync(token)).status).toBe(207);
  // As a restore does.
  await services.db.updateTable("address_book").set({ revision: 100, oldest_revision: 100 }).execute();
  expect((await sync(token)).status).toBe(403);
  expect((await sync()).changed).toHaveLength(1);
});

test("a contact has the details, notes and tags of all leads of a person", async () => {
  const app = await openAddressBook();
  const { services, share, sync, ownerId, time } = app;
  await share({ id: "a", email: "a@example.com", note: "First", owner_note: "Tall" });
  await share({ id: "b", email: "b@example.com", note: "Second" });
  const { token } = await sync();
  await mergeLeads(services.db, { ownerId, mainId: "a", ids: ["b"], now: time.now });
  const merged = await sync(token);
  expect([merged.changed.length, merged.removed.length]).toEqual([1, 1]);
  const vcard = await vcardOf(app, merged.changed[0] ?? "");
  for (const part of ["a@example.com", "b@example.com", String.raw`NOTE:First\n\nSecond\n\nTall`])
    expect(vcard).toContain(part);
});

test("a query finds contacts by a filter, up to a limit", async () => {
  const { share, report } = await openAddressBook();
  for (const id of ["a", "b", "c"]) await share({ id, company: id === "c" ? "Navy" : "Army" });
  const query = async (rest: string) => {
    const prop = "<D:prop><D:getetag/><C:address-data/></D:prop>";
    const { status, text } = await report(`<C:addressbook-query ${xmlns}>${prop}${rest}</C:addressbook-query>`);
    return { status, text, names: [...text.matchAll(/FN:Guest (\w)&#13;/g)].map(([, name]) => name).toSorted() };
  };
  const filter = (text: string) => `<C:filter><C:prop-filter name="ORG">${text}</C:prop-filter></C:filter>`;
  expect((await query("")).names).toEqual(["a", "b", "c"]);
  expect((await query(filter("<C:text-match>army</C:text-match>"))).names).toEqual(["a", "b"]);
  const limited = await query(`${filter("")}<C:limit><C:nresults>2</C:nresults></C:limit>`);
  expect([limited.names.length, limited.text.match(/507 Insufficient Storage/g)?.length]).toEqual([2, 1]);
  const collation = await query(filter('<C:text-match collation="i;basic">x</C:text-match>'));
  expect([collation.status, collation.text]).toEqual([403, expect.stringContaining("<card:supported-collation/>")]);
  expect((await report(`<D:expand-property ${xmlns}/>`)).text).toContain("<d:supported-report/>");
});

test("the sync of 5,000 leads of which one changed takes two queries, with that of the password", async () => {
  const { services, shareMany, sync, ownerId, time } = await openAddressBook();
  await shareMany(Array.from({ length: 5_000 }, (_, n) => ({ name: `Guest ${n}` })));
  await services.db
    .insertInto("address_book_entry")
    .columns(["owner_id", "name", "lead_id", "revision"])
    .expression(
      services.db
        .selectFrom("lead")
        .select(({ lit, fn, val }) => [
          "owner_id",
          fn<string>("replace", ["id", val("many-"), val("1-")]).as("name"),
          "id",
          lit(1).as("revision"),
        ]),
    )
    .execute();
  await services.db.insertInto("address_book").values({ owner_id: ownerId, revision: 1 }).execute();
  const { token, changed } = await sync();
  expect(changed).toHaveLength(5_000);
  await saveLeadNotes(services.db, {
    ownerId,
    id: "many-7",
    notes: { status: "new", ownerNote: "Tall", followUp: "", tags: [] },
    base: undefined,
    now: time.now,
  });
  const queries = countQueries(services);
  expect((await sync(token)).changed).toEqual(["/dav/leads/1-7.vcf"]);
  expect(queries.count).toBe(2);
});

test("a device reads the leads of its owner only", async () => {
  const { services, share, dav, report, sync } = await openAddressBook();
  await share({ id: "a" });
  const [own = ""] = (await sync()).changed;
  await insertLead(services, { id: "of-eve", ownerId: "eve", now: 1, lead: { name: "Secret" } });
  const rows = await services.db
    .selectFrom("address_book_entry")
    .select("name")
    .where("owner_id", "=", "eve")
    .execute();
  const paths = rows.map(({ name }) => `/dav/leads/${name}.vcf`).filter((path) => path !== own);
  await insertLead(services, { id: "of-eve-2", ownerId: "eve", now: 1, lead: { name: "Secret" } });
  for (const path of ["/dav/leads/9-1.vcf", ...paths]) {
    expect((await dav("GET", { path })).status).toBe(404);
    const body = `<C:addressbook-multiget ${xmlns}><D:prop><C:address-data/></D:prop><D:href>${path}</D:href></C:addressbook-multiget>`;
    expect((await report(body)).text).not.toContain("Secret");
  }
  expect((await dav("PROPFIND", { depth: "1" })).text.match(/\.vcf</g)).toHaveLength(1);
  expect((await sync()).text).not.toContain("Secret");
});
