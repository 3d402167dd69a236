import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { findFilePart, isFormTooLarge, maxFormFields, readForm } from "./form-body.ts";

const urlEncoded = "application/x-www-form-urlencoded;charset=UTF-8";
const boundary = "-".repeat(29);

function sent(body: BodyInit, type?: string) {
  const request = new Request("https://meishi.example/auth", { method: "POST", body });
  if (type) request.headers.set("content-type", type);
  return request;
}

function multipart(parts: string[], end = `--${boundary}--\r\n`): string {
  return parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("") + end;
}

const part = (name: string, value = "x") => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

describe("a sent form", () => {
  test("is read as a browser sends it, whatever the case of its type", async () => {
    for (const type of [urlEncoded, "Application/X-WWW-Form-Urlencoded", " application/x-www-form-urlencoded ; x=y"]) {
      const form = await readForm(sent("name=Ada+Lovelace&bio=%C3%A9%0D%0A&name=twice", type));
      expect([...form].flat()).toEqual(["name", "Ada Lovelace", "bio", "é\r\n", "name", "twice"]);
      expect(form.get("name")).toBe("Ada Lovelace");
      expect([form.has("bio"), form.has("none"), form.get("none")]).toEqual([true, false, null]);
    }
  });

  test("is read as URLSearchParams reads it, for any text", async () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom("%", "%4", "%41", "%ff", "%C3%A9", "+", "&", "="));
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => `a&${pieces.join("")}`);
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        const decoded = await sent(body, urlEncoded).text();
        expect([...(await readForm(sent(body, urlEncoded)))]).toEqual([...new URLSearchParams(decoded)]);
      }),
    );
  });

  test("is read as FormData reads it when it comes in parts, without its files", async () => {
    const text = fc.string({ unit: "grapheme" });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 5 }), async (pairs) => {
        const form = new FormData();
        for (const [name, value] of pairs) form.append(name, value);
        const expected = [...(await sent(form).formData())];
        form.append("file", new File(["\r\n--x"], "words.txt"));
        expect([...(await readForm(sent(form)))]).toEqual(expected);
      }),
    );
  });

  test.each([
    ["JSON", "{}", "application/json"],
    ["plain text", "a=b", "text/plain"],
    ["no type", new Uint8Array([97]), undefined],
    ["a part that never ends", "--x", "multipart/form-data; boundary=x"],
    ["parts without a boundary", multipart([part("a")]), "multipart/form-data"],
    ["parts without an end", multipart([part("a")], ""), `multipart/form-data; boundary=${boundary}`],
  ])("is empty for %s", async (_, body, type) => {
    expect([...(await readForm(sent(body, type)))]).toEqual([]);
  });

  test("is empty when it has more than two thousand fields, of either type", async () => {
    const { user } = maxFormFields;
    const type = `Multipart/Form-Data; Boundary="${boundary}"`;
    for (const fields of [user, user + 1]) {
      const expected = fields === user ? user : 0;
      const pairs = Array<string>(fields).fill("a=1").join("&");
      expect([...(await readForm(sent(pairs, urlEncoded)))]).toHaveLength(expected);
      const parts = multipart(Array<string>(fields).fill(part("a")));
      expect([...(await readForm(sent(parts, type)))]).toHaveLength(expected);
    }
  });
});

test("a form is too large when sending it back would take too many escapes", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const text of ["<", "%3C", "%3c", '"', "'", "%26", "%0A", "\\"]) {
    expect(isFormTooLarge(bytes(`a=${text.repeat(100_000)}`), urlEncoded, 1), text).toBe(false);
    expect(isFormTooLarge(bytes(`a=${text.repeat(100_001)}`), urlEncoded, 1), text).toBe(true);
  }
  for (const text of ["x", "%41", "%C3%A9", "+", "%", "%3"])
    expect(isFormTooLarge(bytes(`a=${text.repeat(300_000)}`), urlEncoded, 1), text).toBe(false);
});

describe("the worst body of two megabytes", () => {
  const size = 2_000_000;
  const fill = (text: string) => text.repeat(Math.floor(size / text.length));
  const urls = Array.from({ length: 2_000 }, (_, at) => `links.${at}.url`);
  const fields = (value: string) => urls.map((name) => `${name}=${value}`).join("&");
  const inParts = `multipart/form-data; boundary=${boundary}`;

  test.each([
    ["separators", fill("a&"), urlEncoded],
    ["separators in a type in capitals", fill("a&"), "Application/x-www-form-urlencoded"],
    ["escapes", `a=${fill("%41")}`, urlEncoded],
    ["bytes that aren't UTF-8", `a=${fill("%ff")}`, urlEncoded],
    ["two thousand fields", fields("%ff".repeat(320)), urlEncoded],
    ["parts", multipart(Array<string>(38_000).fill(part("a"))), inParts],
    ["headers of one part", multipart([`${fill("A: b\r\n")}${part("a")}`]), inParts],
    ["ends of lines", multipart([part("a", fill("\r\n--"))]), inParts],
    ["an empty boundary", fill("\r\n--"), 'multipart/form-data; boundary=""'],
  ])("is counted and read within three scans: %s", async (_, body, type) => {
    const bytes = new TextEncoder().encode(body);
    const time = await timeInScans(async () => {
      const form = await readForm(sent(bytes, type));
      for (const name of urls) form.get(name);
    }, 3);
    expect(time).toBeLessThan(3);
  });
});

describe("the file in a form", () => {
  const type = `multipart/form-data; boundary=${boundary}`;
  const file = (content: string) =>
    `Content-Disposition: form-data; name=""; filename="Ada %22L%22.pdf"\r\nContent-Type: a/b\r\n\r\n${content}`;
  const find = (body: string, contentType = type) => {
    const found = findFilePart(Buffer.from(body, "latin1"), contentType);
    return found && [found.filename, found.bytes.toString("latin1")];
  };

  test("is found after its fields, whatever it contains", async () => {
    for (const content of ["", "\r\n", `\r\n--${boundary.slice(1)}`, "\u0000\u00ff\r\n\r\n"]) {
      const body = multipart([part("a"), file(content), file("second")]);
      expect(find(body), content).toEqual(['Ada "L".pdf', content]);
    }
    const form = new FormData();
    form.append("", new Blob(["bytes"]));
    const { headers, body } = new Response(form);
    const bytes = await new Response(body).text();
    expect(find(bytes, headers.get("content-type") ?? "")).toEqual(["blob", "bytes"]);
  });

  test("isn't found in a body that was cut off, has none, or has many fields before it", () => {
    for (const body of [
      "",
      multipart([]),
      multipart([part("a")]),
      multipart([file("x")]).slice(0, -boundary.length),
      multipart([...Array.from({ length: 1_000 }, () => part("a")), file("x")]),
      `x${multipart([file("x")])}`,
    ])
      expect(find(body)).toBe(undefined);
    expect(find(multipart([file("x")]), "multipart/form-data")).toBe(undefined);
  });
});
