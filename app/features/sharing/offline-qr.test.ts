import { spawnSync } from "node:child_process";

import * as fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";

import { rasterise } from "#app/services/rasterise.server.ts";
import { both, readByTwo } from "#tests/support/readers.ts";

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
const nothing = { phone: "", email: "", company: "", title: "", url: "" };

/** Debian's python3-vobject belongs to its own Python. */
const python =
  ["python3", "/usr/bin/python3"].find((path) => spawnSync(path, ["-c", "import vobject"]).status === 0) ?? "";
if (!python) console.warn("SKIPPED: offline codes were not read by vobject; Debian's package python3-vobject has it.");

describe("the contact itself in a code", () => {
  test("is read by two readers, and is a contact to a JavaScript parser", async () => {
    const made = codeOf(offlineQr(ada));
    expect(await readByTwo(await drawn(made))).toEqual(both(made.text));
    const card = new ICAL.Component(ICAL.parse(made.text.replaceAll("\n", "\r\n")) as never);
    expect(card.getFirstPropertyValue("fn")).toBe("Ada Lovelace");
    expect(card.getFirstPropertyValue("tel")).toBe(ada.phone);
    expect(card.getFirstPropertyValue("email")).toBe(ada.email);
    expect(card.getFirstPropertyValue("url")).toBe(ada.url);
  });

  test.skipIf(!python)("is a contact to python3-vobject too, with every sign as typed", () => {
    const odd = {
      ...ada,
      name: "山田, 太郎; \\Ada",
      parts: ["山田", "太郎", "", "Dr.", ""] as const,
      company: "A\\nB, C",
    };
    const script =
      "import sys,json,vobject; c=vobject.readOne(sys.stdin.read()); " +
      "print(json.dumps([c.fn.value,c.n.value.family,c.n.value.given,c.n.value.prefix,c.org.value[0],c.tel.value,c.email.value,c.title.value,c.url.value]))";
    const { stdout } = spawnSync(python, ["-c", script], { input: codeOf(offlineQr(odd)).text, encoding: "utf8" });
    expect(JSON.parse(stdout)).toEqual([
      odd.name,
      "山田",
      "太郎",
      "Dr.",
      odd.company,
      odd.phone,
      odd.email,
      odd.title,
      odd.url,
    ]);
  });

  test("holds only what its owner chose and what there is, and no mark of a source", () => {
    const chosen = codeOf(offlineQr({ ...ada, email: "" }, ["email", "phone"]));
    expect(chosen.holds).toEqual(["phone"]);
    expect(chosen.text).toBe(
      "BEGIN:VCARD\nVERSION:3.0\nN:Lovelace;Ada\nFN:Ada Lovelace\nTEL:+44 20 7946 0000\nEND:VCARD",
    );
    expect(codeOf(offlineQr({ ...ada, ...nothing })).text).toBe(
      "BEGIN:VCARD\nVERSION:3.0\nN:Lovelace;Ada\nFN:Ada Lovelace\nEND:VCARD",
    );
  });

  test("of an ordinary card is fine for a screen, and says how wide it has to be on paper", () => {
    const made = codeOf(offlineQr(ada));
    expect(made).toMatchObject({ density: "fine", leaveOut: undefined });
    expect(made.version).toBeLessThanOrEqual(10);
    expect(made.printWidth).toBe(Math.ceil(made.code.size * 0.4));
  });

  test("says when it is too dense, and what to leave out first", async () => {
    const long = { ...ada, company: "Department of ".repeat(40), title: "x".repeat(100) };
    const made = codeOf(offlineQr(long));
    expect(made).toMatchObject({ density: "dense", leaveOut: "company" });
    expect(made.version).toBeGreaterThan(15);
    expect(await readByTwo(await drawn(made))).toEqual(both(made.text));
    const without = codeOf(
      offlineQr(
        long,
        offlineFields.filter((field) => field !== made.leaveOut),
      ),
    );
    expect(without.density).toBe("fine");
  });

  test("of more than a code holds is refused, with what to leave out", () => {
    expect(offlineQr({ ...ada, title: "名".repeat(1000) })).toEqual({ kind: "too-much", leaveOut: "title" });
    expect(offlineQr({ ...ada, ...nothing, name: "n".repeat(3000) })).toEqual({
      kind: "too-much",
      leaveOut: undefined,
    });
  });

  test("of any text never breaks out of its line", () => {
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
  return rasterise(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size * 4}" height="${size * 4}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" fill="none" d="${d}"/></svg>`,
  );
}
