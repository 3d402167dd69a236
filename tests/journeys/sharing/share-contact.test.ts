import { gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { rasterize } from "#app/services/images/sharp.server.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";

import { openLeadForm as open } from "./leads/shared-contacts.ts";

describe("a card with the form", () => {
  test("offers it on its page and on the profile, and only while it is on", async () => {
    const { ada, path, visitor, switchOff } = await open();
    const link = `href="${path}/connect"`;
    const profile = `/u/${await userIdOf(ada)}`;
    for (const page of [path, profile]) expect(await (await visitor().get(page)).text()).toContain(link);
    await switchOff();
    for (const page of [path, profile]) expect(await (await visitor().get(page)).text()).not.toContain(link);
    // A printed code that opens the form leads to the card, with its mark.
    const printed = await visitor().get(`${path}/connect?q`);
    expect([printed.status, printed.headers.get("location")]).toEqual([302, `${path}?q`]);
  });

  test("has a page of at most 10 kB without script, which no one stores, that checks no box", async () => {
    const { visitor, path } = await open();
    const response = await visitor().get(`${path}/connect`);
    const html = await response.text();
    expect(html).not.toMatch(/<script|<link[^>]+stylesheet|<input[^>]*checked/);
    expect(html).toContain(
      "My details go only to ada, Analytical Engines, and are deleted after 12 months at the latest.",
    );
    expect(html).toContain('href="/privacy#shared-contacts" target="_blank"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    const card = await visitor().get(path);
    expect(card.headers.get("cache-control")).not.toBe("no-store");
    for (const page of [html, await card.text()]) expect(gzipSync(page).length).toBeLessThan(10_000);
  });

  test("that takes an email address or a phone number doesn't call both optional", async () => {
    const { formOf } = await open({ "field-email": "optional" });
    const labels = ((await formOf()).page.match(/<label.*?<\/label>/gs) ?? []).map((label) =>
      visibleText(label).trim(),
    );
    expect(labels).toEqual(expect.arrayContaining(["Email (or phone)", "Phone (or email)", "Note (optional)"]));
  });
});

describe("a code or tag that opens the form at once", () => {
  test("is offered on the share page, as a drawing, as files and as a link", async () => {
    const { ada, card, path, services, visitor } = await open();
    const page = await (await ada.get(`/share/card/${card}`)).text();
    const url = `${services.config.baseUrl}${path}/connect`;
    const svg = /<svg[^>]*aria-label="QR code for the form on .*?<\/svg>/.exec(page)?.[0] ?? "";
    const ground = svg.replace("<path", '<path fill="#fff" d="M0 0h99v99H0z"/><path');
    const drawn = await rasterize(ground.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg" width="600"'));
    expect(await scanQrCode(drawn)).toBe(`${url}?q`);
    expect(page).toContain(`value="${url}?n"`);
    const file = await visitor().get(`${path}/qr.png?opens=connect&size=1024`);
    expect(await scanQrCode(Buffer.from(await file.arrayBuffer()))).toBe(`${url}?q`);
  });

  test("counts a visit of the card by its mark, once, and neither its owner's nor a form that is shown again", async () => {
    const { ada, card, grace, path, fill, services } = await open();
    await ada.get(`${path}/connect?n`);
    await grace.get(`${path}/connect`);
    const form = await fill("?n");
    expect((await grace.post(`${path}/connect?n`, { ...form, name: "" })).status).toBe(400);
    await services.counter.flush();
    const counts = services.db.selectFrom("hourly_count").select(["subject", "source", "n"]);
    const marked = await counts.where("kind", "=", "visit").where("source", "!=", "").execute();
    expect(marked).toEqual([{ subject: `card:${card}`, source: "nfc", n: 1 }]);
  });
});

describe("sharing a contact", () => {
  test("stores one lead, says thanks with the contact file, and mails the visitor a link", async () => {
    const { grace, path, fill, leads, mails } = await open();
    const sent = await grace.post(`${path}/connect`, await fill("?q"));
    expect(sent.status).toBe(303);
    const thanks = await (await grace.get(sent.headers.get("location") ?? "")).text();
    expect(thanks).toContain("<title>Thanks, your contact is shared</title>");
    expect(thanks).toContain(`href="${path}/contact.vcf"`);
    expect(thanks).toContain('href="https://cal.com/ada"');
    expect(await leads()).toMatchObject([
      {
        name: "Grace Hopper",
        source: "qr",
        answers: JSON.stringify([{ question: "How did we meet?", answer: "At the fair" }]),
        quarantined_at: null,
      },
    ]);
    const mail = (await mails()).find(({ to }) => to === "grace@example.com");
    expect(mail?.subject).toBe("You shared your details with ada");
    expect(mail?.text).toContain("/shared/");
    // Anyone can type an address: their words are not sent to it.
    expect(mail?.text).not.toContain("Nice to meet you");
  });

  test("of one form in twenty tabs stores one lead, and a new form another", async () => {
    const { grace, path, fill, leads } = await open();
    const form = await fill();
    const sent = await Promise.all(Array.from({ length: 20 }, () => grace.post(`${path}/connect`, form)));
    expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(303));
    expect(await leads()).toHaveLength(1);
    await grace.post(`${path}/connect`, await fill());
    expect(await leads()).toHaveLength(2);
  });

  test("keeps the source of the page before", async () => {
    const { grace, path, leads, fill, services } = await open();
    const referer = `${services.config.baseUrl}${path}?n`;
    const page = await (await grace.get(`${path}/connect`, { referer })).text();
    const form = { ...(await fill()), stamp: fieldValue(page, "stamp") };
    await grace.post(`${path}/connect`, form);
    expect((await leads()).map(({ source }) => source)).toEqual(["nfc"]);
  });

  test("with something wrong is refused, and nothing typed is lost", async () => {
    const { grace, path, fill, leads } = await open();
    const send = async (change: Record<string, string>) =>
      grace.post(`${path}/connect`, { ...(await fill()), phone: "+1 555 <0100>", ...change });
    const forged = `0b5f1b0e-3a54-4d1c-9f43-6f0e3a1c2b11.1.qr.${"x".repeat(43)}`;
    const cases: [Record<string, string>, string][] = [
      [{ name: " " }, "Enter your name."],
      [{ email: "grace" }, "Enter a valid email address"],
      [{ email: "a@b.example\r\nBcc: c@d.example" }, "Enter a valid email address"],
      [{ note: "x".repeat(1_000_000) }, "Use at most 2000 characters."],
      [{ "question-q1": "Elsewhere" }, "Answer this question."],
      [{ "consent-answer": "" }, "Check this box to share your details."],
      [{ "consent-answer": "0".repeat(64) }, "This text has changed."],
      [{ stamp: forged }, "open for a long time"],
    ];
    let html = "";
    for (const [change, message] of cases) {
      const response = await send(change);
      expect(response.status, message).toBe(400);
      html = await response.text();
      expect(html).toContain(message);
      expect(fieldValue(html, "phone")).toBe("+1 555 &lt;0100&gt;");
    }
    expect(await leads()).toEqual([]);
    // The form that came back can be sent.
    expect((await send({ stamp: fieldValue(html, "stamp") })).status).toBe(303);
  });

  test("after the owner changed the texts asks again for each box that was checked", async () => {
    const { grace, path, fill, formOf, leads, saveForm } = await open();
    const form = await fill();
    const news = fieldValue((await formOf()).page, "consent-newsletter");
    await saveForm({ version: "1", newsletter_text: "Read my letter." });
    const refused = await grace.post(`${path}/connect`, { ...form, "consent-newsletter": news });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toMatch(/id="consent-newsletter-error"[^>]*>This text has changed/);
    // The other text is the same: its box stays checked.
    expect(html).not.toContain('id="consent-answer-error"');
    expect(html).toMatch(/<input[^>]*name="consent-answer"[^>]*checked/);
    expect(html).not.toMatch(/<input[^>]*name="consent-newsletter"[^>]*checked/);
    expect(await leads()).toEqual([]);
    const again = { ...form, "consent-newsletter": fieldValue(html, "consent-newsletter") };
    expect((await grace.post(`${path}/connect`, again)).status).toBe(303);
  });

  test("by a bot goes to quarantine with the same thanks, and no one is mailed", async () => {
    const { grace, path, fill, leads, mails } = await open();
    for (const change of [
      { homepage: "https://spam.example" },
      { note: "http://a.example http://b.example www.c.example" },
    ]) {
      const sent = await grace.post(`${path}/connect`, { ...(await fill()), ...change });
      expect(sent.headers.get("location")).toMatch(/\/connect\?sent=/);
    }
    expect((await leads()).map(({ spam_reasons }) => spam_reasons).toSorted()).toEqual(['["honeypot"]', '["links"]']);
    expect((await mails()).filter(({ to }) => to === "grace@example.com")).toEqual([]);
  });

  test("with a disposable address comes in like others, and its owner sees a hint", async () => {
    const { ada, grace, path, fill, leads } = await open();
    for (const email of ["grace@example.com", "grace@mailinator.com"])
      await grace.post(`${path}/connect`, { ...(await fill()), email });
    const stored = await leads();
    expect(stored.map(({ quarantined_at }) => quarantined_at)).toEqual([null, null]);
    for (const { id, email } of stored) {
      const page = await (await ada.get(`/leads/${id}`)).text();
      expect(page.includes("Disposable address")).toBe(email === "grace@mailinator.com");
    }
  });

  test("that was open for more than a day asks to press again, with what was typed", async () => {
    const { grace, path, fill, leads, time } = await open();
    const form = await fill();
    time.now += 25 * 3_600_000;
    const asked = await grace.post(`${path}/connect`, form);
    expect(asked.status).toBe(400);
    const html = await asked.text();
    expect(html).toContain("open for a long time");
    expect(fieldValue(html, "name")).toBe("Grace Hopper");
    const again = { ...form, stamp: fieldValue(html, "stamp") };
    expect((await grace.post(`${path}/connect`, again)).status).toBe(303);
    expect(await leads()).toMatchObject([{ quarantined_at: null }]);
  });

  test("with foreign names and marks of the writing direction is stored as it is read", async () => {
    const { grace, path, fill, leads } = await open();
    await grace.post(`${path}/connect`, { ...(await fill()), name: "\u202e山田 太郎\r\nBcc: x", note: "שלום\r\nעולם" });
    expect(await leads()).toMatchObject([{ name: "山田 太郎 Bcc: x", note: "שלום\nעולם" }]);
  });

  test("after the owner switched the form off says that nothing was sent, and leads back to the card", async () => {
    const { card, grace, path, fill, leads, switchOff } = await open();
    const form = await fill();
    await switchOff();
    for (const address of [path, `/card/${card}`]) {
      const refused = await grace.post(`${address}/connect`, form);
      expect(refused.status).toBe(410);
      const html = await refused.text();
      for (const text of ["Your details were not sent.", "<title>The form is off</title>", `href="${address}"`])
        expect(html).toContain(text);
    }
    expect(await leads()).toEqual([]);
  });

  test("is impossible on a private, paused or deleted card and for a blocked owner, with the same 404", async () => {
    const { grace, path, card, fill, ada, leads, services } = await open();
    const form = await fill();
    const ownerId = await userIdOf(ada);
    const { db } = services;
    const update = (change: { is_public?: 0 | 1; is_paused?: 0 | 1 }) => db.updateTable("card").set(change).execute();
    const changes = [
      [() => update({ is_public: 0 }), () => update({ is_public: 1 })],
      [() => update({ is_paused: 1 }), () => update({ is_paused: 0 })],
      [
        () => db.insertInto("account_block").values({ owner_id: ownerId, created_at: 1, reason: "" }).execute(),
        () => db.deleteFrom("account_block").execute(),
      ],
      [() => ada.post(`/cards/${card}/delete`, {}), () => undefined],
    ] as const;
    const unknown = await (await grace.get("/c/none/connect")).text();
    for (const [begin, end] of changes) {
      await begin();
      const get = await grace.get(`${path}/connect`);
      expect(get.status).toBe(404);
      expect(await get.text()).toBe(unknown);
      expect((await grace.post(`${path}/connect`, form)).status).toBe(404);
      await end();
    }
    expect(await leads()).toEqual([]);
  });
});
