import { gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { leadLimits } from "#app/features/leads/rules.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { day } from "#tests/journeys/leads/lead-owner.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { tagsNamed } from "#tests/support/app/profiles.ts";
import { textWith, visibleText } from "#tests/support/app/responses.ts";
import { useUp } from "#tests/support/database/attempts.ts";
import { drawingOf, scanQrCode } from "#tests/support/fixtures/qr-readers.ts";

import { openLeadForm as open } from "./shared-contacts.ts";

describe("a card with the form", () => {
  test("offers it on its page and on the profile, and only while it is on", async () => {
    const { ownerId, path, read, visitor, switchOff } = await open();
    const link = `href="${path}/connect"`;
    const profile = `/u/${ownerId}`;
    for (const page of [path, profile]) expect(await read(page)).toContain(link);
    await switchOff();
    for (const page of [path, profile]) expect(await read(page)).not.toContain(link);
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
  test("is offered on the page of the form, as a drawing, as files and as a link", async () => {
    const { ada, card, path, services, visitor } = await open();
    const page = await (await ada.get(`/cards/${card}/leads`)).text();
    const url = `${services.config.baseUrl}${path}/connect`;
    const drawing = drawingOf(page, "QR code for the contact form");
    expect(await scanQrCode(drawing)).toBe(`${url}?q`);
    expect(page).toContain(`value="${url}?n"`);
    expect(await (await ada.get(`/share/card/${card}/nfc?opens=connect`)).text()).toContain(`value="${url}?n"`);
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
    const { path, formOf, send, read, leads, mailsTo } = await open();
    const form = await formOf("?q");
    const sent = await send(form, "?q");
    expect(sent.status).toBe(303);
    expect((await send(form)).status, "the same form again").toBe(303);
    const thanks = await read(sent.headers.get("location") ?? "");
    expect(thanks).toContain("<title>Thanks. ada has your contact details.</title>");
    for (const text of ["Done. ada has your details.", "We’ve emailed you a link to change your mind."])
      expect(visibleText(thanks)).toContain(text);
    // The owner's card.
    expect(thanks).toMatch(/<section class="card[^>]*aria-label="Business card"/);
    for (const href of [`${path}/contact.vcf`, "https://cal.com/ada"]) expect(thanks).toContain(`href="${href}"`);
    const answers = JSON.stringify([{ question: "How did we meet?", answer: "At the fair" }]);
    expect(await leads()).toMatchObject([{ name: "Grace Hopper", source: "qr", answers, quarantined_at: null }]);
    const [mail] = await mailsTo("grace@example.com");
    expect(mail?.subject).toBe("You shared your details with ada");
    for (const text of [`${path}\n`, `${path}/contact.vcf`, "https://cal.com/ada", "/shared/"])
      expect(mail?.text).toContain(text);
    // Anyone can type an address: their words are not sent to it.
    expect(mail?.text).not.toContain("Nice to meet you");
  });

  test("promises no email to a visitor who gave only a phone number", async () => {
    const { send, read } = await open({ "field-email": "optional" });
    const sent = await send({ email: "", phone: "+49 30 901820" });
    const thanks = visibleText(await read(sent.headers.get("location") ?? ""));
    expect(thanks).toContain("Done. ada has your details.");
    expect(thanks).not.toContain("emailed you");
  });

  test("keeps the source of the page before, and what was typed as it is read", async () => {
    const { grace, path, leads, send, services } = await open();
    const referer = `${services.config.baseUrl}${path}?n`;
    const page = await (await grace.get(`${path}/connect`, { referer })).text();
    const typed = { name: "\u202e山田 太郎\r\nBcc: x", note: "שלום\r\nעולם" };
    await send({ ...typed, formToken: fieldValue(page, "formToken") });
    expect(await leads()).toMatchObject([{ source: "nfc", name: "山田 太郎 Bcc: x", note: "שלום\nעולם" }]);
  });

  test("with something wrong, or open for more than a day, is refused, and nothing typed is lost", async () => {
    const { send, leads, time, formOf } = await open();
    const { formToken } = await formOf();
    time.now += day;
    const cases: [Record<string, string>, string][] = [
      [{ name: " " }, "Enter your name."],
      [{ email: "grace" }, "Enter a valid email address"],
      [{ email: "a@b.example\r\nBcc: c@d.example" }, "Enter a valid email address"],
      [{ note: "x".repeat(150_000) }, "Use at most 2000 characters."],
      [{ "question-q1": "Elsewhere" }, "Answer this question."],
      [{ "consent-answer": "" }, "Check this box to share your details."],
      [{ "consent-answer": "0".repeat(64) }, "This text has changed."],
      [{ formToken: `0b5f1b0e-3a54-4d1c-9f43-6f0e3a1c2b11.1.qr.${"x".repeat(43)}` }, "open for a long time"],
      [{ formToken }, "open for a long time"],
    ];
    let html = "";
    for (const [change, message] of cases) {
      const response = await send({ phone: "+1 555 <0100>", ...change });
      expect(response.status, message).toBe(400);
      html = await response.text();
      expect(html).toContain(message);
      expect(fieldValue(html, "phone")).toBe("+1 555 &lt;0100&gt;");
    }
    expect(await leads()).toEqual([]);
    // The form that came back can be sent.
    expect((await send({ formToken: fieldValue(html, "formToken") })).status).toBe(303);
    expect(await leads()).toMatchObject([{ quarantined_at: null }]);
  });

  test("with something wrong counts against the limit of its network, and keeps what was typed above it too", async () => {
    const { send, services } = await open();
    await useUp(services, { limit: leadLimits.mostOfNetwork, subject: networkOf("127.0.0.1") }, { left: 1 });
    expect((await send({ email: "grace" })).status).toBe(400);
    const html = await textWith(429, await send({ email: "grace" }));
    expect(html).toContain("Enter a valid email address");
    expect(fieldValue(html, "email")).toBe("grace");
  });

  test("that can't be stored keeps what was typed, whether something is wrong or not", async () => {
    const { send, services } = await open();
    await services.db.schema.dropTable("attempt").execute();
    for (const email of ["grace", "grace@example.com"]) {
      const failed = await send({ email });
      const html = await failed.text();
      expect([failed.status, fieldValue(html, "email")]).toEqual([500, email]);
      expect(html).toContain("Your details are still here.");
    }
  });

  test("after the owner changed the texts asks again for each box that was checked", async () => {
    const { fill, send, formOf, leads, saveForm } = await open();
    const news = fieldValue((await formOf()).page, "consent-newsletter");
    const form = { ...(await fill()), "consent-newsletter": news };
    await saveForm({ version: "1", newsletter_text: "Read my letter." });
    const html = await textWith(400, await send(form));
    expect(html).toMatch(/id="consent-newsletter-error"[^>]*>This text has changed/);
    // The other text is the same: its box stays checked.
    expect(html).not.toContain('id="consent-answer-error"');
    expect(tagsNamed(html, "consent-answer").join()).toContain("checked");
    expect(tagsNamed(html, "consent-newsletter").join()).not.toContain("checked");
    expect(await leads()).toEqual([]);
    const again = { ...form, "consent-newsletter": fieldValue(html, "consent-newsletter") };
    expect((await send(again)).status).toBe(303);
  });

  test("by a bot, or above the limit of a mailbox, goes to quarantine with the same thanks, and no one is mailed", async () => {
    const { ownerId, send, leads, mailsTo, services } = await open();
    const expectThanks = async (change: Record<string, string> = {}) =>
      expect((await send(change)).headers.get("location")).toMatch(/\/connect\?sent=/);
    await expectThanks({ homepage: "https://spam.example" });
    await expectThanks({ note: "http://a.example http://b.example www.c.example" });
    await useUp(services, { limit: leadLimits.ofMailbox, subject: `${ownerId} grace@example.com` });
    await expectThanks();
    const reasons = (await leads()).map(({ spam_reasons }) => spam_reasons);
    expect(reasons.toSorted()).toEqual(['["address-limit"]', '["honeypot"]', '["links"]']);
    expect(await mailsTo("grace@example.com")).toEqual([]);
  });

  test("with a disposable address comes in like others, and its owner sees a hint", async () => {
    const { ada, send, leads } = await open();
    for (const email of ["grace@example.com", "grace@mailinator.com"]) await send({ email });
    for (const { id, email, quarantined_at } of await leads()) {
      expect(quarantined_at).toBeNull();
      const page = await (await ada.get(`/leads/${id}`)).text();
      expect(page.includes("Disposable address")).toBe(email === "grace@mailinator.com");
    }
    expect(await leads()).toHaveLength(2);
  });

  test("after the owner switched the form off says that nothing was sent, and leads back to the card", async () => {
    const { card, grace, path, fill, leads, switchOff } = await open();
    const form = await fill();
    await switchOff();
    for (const address of [path, `/card/${card}`]) {
      const html = await textWith(410, await grace.post(`${address}/connect`, form));
      for (const text of ["Your details were not sent.", "<title>The form is off</title>", `href="${address}"`])
        expect(html).toContain(text);
    }
    expect(await leads()).toEqual([]);
  });

  test("is impossible on a private, paused or deleted card and for a blocked owner, with the same 404", async () => {
    const { grace, path, card, fill, ada, ownerId, read, leads, services } = await open();
    const form = await fill();
    const unknown = await read("/c/none/connect");
    const expectNotFound = async () => {
      const get = await grace.get(`${path}/connect`);
      expect([get.status, await get.text()]).toEqual([404, unknown]);
      expect((await grace.post(`${path}/connect`, form)).status).toBe(404);
    };
    await services.db.insertInto("account_block").values({ owner_id: ownerId, created_at: 1, reason: "" }).execute();
    await expectNotFound();
    await services.db.deleteFrom("account_block").execute();
    for (const change of [
      { is_public: 0, is_paused: 0 },
      { is_public: 1, is_paused: 1 },
    ] as const) {
      await services.db.updateTable("card").set(change).execute();
      await expectNotFound();
    }
    await services.db.updateTable("card").set({ is_paused: 0 }).execute();
    await ada.post(`/cards/${card}/delete`, {});
    await expectNotFound();
    expect(await leads()).toEqual([]);
  });
});
