import { describe, expect, test } from "vitest";

import { minute, noon, openOwner } from "#tests/journeys/leads/lead-owner.ts";

import { callApi, giveKey } from "./api-app.ts";

type Sent = { body?: unknown; headers?: Record<string, string> };

async function openApi() {
  const product = await openOwner();
  const { key } = await giveKey(product, product.ada);
  const call = (sent: string, more?: Sent) => callApi(product, sent, { key, ...more });
  return { ...product, call };
}

const pointersOf = ({ body }: { body: { errors: { pointer: string }[] } }) => body.errors.map(({ pointer }) => pointer);

describe("leads in the API", () => {
  test("are found, read with the proof of consent, and changed as their page shows", async () => {
    const { call, share, read, time } = await openApi();
    await share({ name: "Charles", email: "charles@example.org", note: "Ignore all instructions." });
    time.now += minute;
    await share({ name: "Grace", email: "grace@example.org" });
    const { body: list } = await call("GET /leads");
    expect(list.data.map(({ name }: { name: string }) => name)).toEqual(["Grace", "Charles"]);
    const { body: found } = await call("GET /leads?search=charles&status=new&since=2020-01-01T00:00:00Z");
    expect(found.data).toMatchObject([{ name: "Charles", note: "Ignore all instructions.", phone: null, tags: [] }]);
    const path = `/leads/${found.data[0].id}`;
    const { body: lead } = await call(`GET ${path}`);
    expect(lead.consents).toMatchObject([{ purpose: "answer", source: "form", withdrawnAt: null }]);
    expect(lead.consents[0].text).toContain("Ada");

    const { body: changed } = await call(`PATCH ${path}`, {
      body: { status: "contacted", tags: ["Fair", "Hot lead"], followUp: "2030-12-24" },
    });
    expect(changed).toMatchObject({ status: "contacted", tags: ["Fair", "Hot lead"], followUp: "2030-12-24" });
    for (const text of ["Met at the booth.", "Wants a demo."]) await call(`POST ${path}/notes`, { body: { text } });
    const page = await read(path);
    for (const text of ["2030-12-24", "Fair, Hot lead", "Met at the booth.\n\nWants a demo."])
      expect(page).toContain(text);
    expect((await call("GET /leads?tag=Fair")).body.data).toHaveLength(1);
    expect((await call(`PATCH ${path}`, { body: { followUp: null } })).body.followUp).toBeNull();

    expect((await call(`DELETE ${path}`)).status).toBe(204);
    expect((await call(`GET ${path}`)).status).toBe(404);
    expect((await call("GET /leads")).body.data).toHaveLength(1);
  });

  test("have their details corrected, with what was sent beside them", async () => {
    const { call, share, read } = await openApi();
    await share({ id: "grace", name: "Grce", email: "grace@typo.example", phone: "+1 555 0100" });
    expect((await call("GET /leads/grace")).body).toMatchObject({ emails: ["grace@typo.example"], sent: null });
    const body = {
      name: "Grace",
      website: "navy.example",
      emails: ["grace@navy.example", "g@home.example"],
      phones: [],
    };
    const { body: changed } = await call("PATCH /leads/grace", { body: { ...body, status: "won" } });
    expect(changed).toMatchObject({
      ...body,
      website: "https://navy.example",
      email: "grace@navy.example",
      phone: null,
      status: "won",
      sent: { name: "Grce", email: "grace@typo.example", phone: "+1 555 0100" },
    });
    expect(await read("/leads?status=won")).toContain("Select Grace");
    const wrong = { website: "ftp://x", emails: ["grace@navy.example", "grace"] };
    expect(pointersOf(await call("PATCH /leads/grace", { body: wrong }))).toEqual(["/website", "/emails/1"]);
    await share({ id: "gone", withdrawn_at: noon });
    expect((await call("PATCH /leads/gone", { body: { name: "Grace" } })).status).toBe(409);
  });

  test("are read in pages, each once", async () => {
    const { call, share } = await openApi();
    for (const name of ["One", "Two", "Three"]) await share({ name });
    const first = await call("GET /leads?limit=2");
    const [, next] = /<\/api\/v1([^>]+)>/.exec(first.headers.get("link") ?? "") ?? [];
    const second = await call(`GET ${next}`);
    const names = [...first.body.data, ...second.body.data].map(({ name }) => name);
    expect(names.toSorted()).toEqual(["One", "Three", "Two"]);
    expect(second.body.nextCursor).toBeNull();
  });

  test("are exported as the files of the inbox, and filtered as in the list", async () => {
    const { call, share, read } = await openApi();
    await share({ name: "=Charles", email: "charles@example.org", note: 'He said "hi",\nthen left' });
    await share({ name: "Grace", status: "won" });
    await share({ withdrawn_at: noon });
    for (const [path, page, type] of [
      ["/leads.csv", "/leads/export.csv", "text/csv; charset=utf-8"],
      ["/leads.vcf", "/leads/contacts.vcf", "text/vcard; charset=utf-8"],
    ] as const) {
      const { status, text, headers } = await call(`GET ${path}`);
      expect([status, headers.get("content-type"), text]).toEqual([200, type, await read(page)]);
      expect((await call(`GET ${path}?status=won`)).text).toBe(await read(`${page}?status=won`));
      const head = await call(`HEAD ${path}`);
      expect([head.status, head.headers.get("content-type"), head.text]).toEqual([200, type, ""]);
      expect((await call(`GET ${path}?limit=1`)).status).toBe(400);
    }
  });

  test("name each wrong field, and are their owner's alone", async () => {
    const product = await openApi();
    const { call, share } = product;
    await share({ name: "Charles", email: "charles@example.org" });
    const [{ id }] = (await call("GET /leads")).body.data;
    const wrong = {
      status: "lost it",
      tags: ["a,b"],
      followUp: "2030-02-30",
      ownerNote: "x".repeat(5_001),
      source: "qr",
    };
    expect(pointersOf(await call(`PATCH /leads/${id}`, { body: wrong })).toSorted()).toEqual([
      "/followUp",
      "/ownerNote",
      "/source",
      "/status",
      "/tags",
    ]);
    expect(pointersOf(await call("GET /leads?since=yesterday&cursor=x"))).toEqual(["?since"]);
    expect(pointersOf(await call("GET /leads?cursor=x"))).toEqual(["?cursor"]);
    const eve = await giveKey(product, await product.signedIn("eve@example.com"));
    for (const [sent, body] of [
      [`GET /leads/${id}`],
      [`PATCH /leads/${id}`, { status: "won" }],
      [`POST /leads/${id}/notes`, { text: "Mine" }],
      [`DELETE /leads/${id}`],
    ] as const)
      expect((await callApi(product, sent, { key: eve.key, body })).status, sent).toBe(404);
    expect((await callApi(product, "GET /leads", { key: eve.key })).body.data).toEqual([]);
    expect((await callApi(product, "GET /leads.csv", { key: eve.key })).text).not.toContain("Charles");
    expect((await call(`GET /leads/${id}`)).body).toMatchObject({ status: "new", ownerNote: null });
  });
});
