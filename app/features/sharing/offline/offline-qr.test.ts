import * as fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";

import { rasterize } from "#app/services/images/sharp.server.ts";
import { inBothReaders, scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";

import { offlineFields, offlineQr } from "./offline-qr.ts";
import type { OfflineContact, OfflineQr } from "./offline-qr.ts";

const ada: OfflineContact = {
  name: "Ada Lovelace",
  parts: ["Lovelace", "Ada", "", "", ""],
  phone: "+44 20 7946 0000",
  email: "ada@example.com",
  company: "Analytical Engines; Ltd., London",
  title: "Head of Research",
  url: "https://meishi.example/u/ada",
};
const none = { phone: "", email: "", company: "", title: "", url: "" };

describe("a QR code with a contact", () => {
  test("is read by two readers and parsed as a vCard, with every character as typed", async () => {
    const parts = ["山田", "太郎", "", "Dr.", ""] as const;
    const odd = { ...ada, name: "山田, 太郎; \\Ada", parts, company: "A\\nB, C" };
    for (const contact of [ada, odd]) {
      const made = codeOf(offlineQr(contact));
      expect(await scanWithTwoReaders(await drawn(made))).toEqual(inBothReaders(made.text));
      const card = new ICAL.Component(ICAL.parse(made.text.replaceAll("\n", "\r\n")) as never);
      const { name, phone, email, url, company, title } = contact;
      const values = ["fn", "tel", "email", "url", "org", "title"].map((field) => card.getFirstPropertyValue(field));
      const texts = values.map((value) => String(value).replaceAll("\\;", ";"));
      expect(texts).toEqual([name, phone, email, url, company, title]);
      expect(String(card.getFirstPropertyValue("n"))).toBe(String(contact.parts).replace(/,+$/, ""));
    }
  });

  test("contains only the chosen fields that have a value, and no source mark", () => {
    const chosen = codeOf(offlineQr({ ...ada, email: "" }, ["email", "phone"]));
    expect(chosen.holds).toEqual(["phone"]);
    const start = "BEGIN:VCARD\nVERSION:3.0\nN:Lovelace;Ada\nFN:Ada Lovelace\n";
    expect(chosen.text).toBe(`${start}TEL:+44 20 7946 0000\nEND:VCARD`);
    expect(codeOf(offlineQr({ ...ada, ...none })).text).toBe(`${start}END:VCARD`);
  });

  test("of an ordinary card scans from a screen, and has a minimum width in print", () => {
    const made = codeOf(offlineQr(ada));
    expect(made).toMatchObject({ density: "fine", leaveOut: undefined });
    expect(made.version).toBeLessThanOrEqual(10);
    expect(made.printWidth).toBe(Math.ceil(made.code.size * 0.4));
  });

  test("is marked as dense, with the field to leave out first", async () => {
    const long = { ...ada, company: "Department of ".repeat(40), title: "x".repeat(100) };
    const made = codeOf(offlineQr(long));
    expect(made).toMatchObject({ density: "dense", leaveOut: "company" });
    expect(made.version).toBeGreaterThan(15);
    expect(await scanWithTwoReaders(await drawn(made))).toEqual(inBothReaders(made.text));
    const others = offlineFields.filter((field) => field !== made.leaveOut);
    expect(codeOf(offlineQr(long, others)).density).toBe("fine");
  });

  test("is refused when the contact is too long, with the field to leave out", () => {
    expect(offlineQr({ ...ada, title: "名".repeat(1000) })).toEqual({ kind: "too-much", leaveOut: "title" });
    const name = "n".repeat(3000);
    expect(offlineQr({ ...ada, ...none, name })).toEqual({ kind: "too-much", leaveOut: undefined });
  });

  test("keeps any text on its line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.constantFrom(...offlineFields), (text, field) => {
        const made = offlineQr({ ...ada, name: text, [field]: field === "url" ? ada.url : `x${text}` });
        const lines = codeOf(made).text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
        expect(lines).toHaveLength(6 + offlineFields.length - 1);
      }),
      { numRuns: 40 },
    );
  });
});

function codeOf(made: OfflineQr) {
  if (made.kind !== "code") throw new Error("Too much");
  return made;
}

function drawn({ code }: ReturnType<typeof codeOf>): Promise<Buffer> {
  const { size, d } = code;
  return rasterize(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size * 4}" height="${size * 4}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" fill="none" d="${d}"/></svg>`,
  );
}
