import { expect } from "vitest";

import { readElements } from "./responses.ts";
import type { Visitor } from "./visitor.ts";

const base = "http://localhost:3000";

/** Query parameters that some page reads. */
export const parameterNames =
  "theme screen tier returnTo redirect page tab period link token profiles cards site".split(" ");

/** If one of these took effect, it would be an element `planted`, a link to evil.example, or a header. */
export const invalidValues: Record<string, string> = {
  nothing: "",
  "no value that is known": "purple",
  "one in other letters": "DARK",
  "a number": "-1",
  "a fraction": "1e309",
  "the name of what every object has": "__proto__",
  "a constructor": "constructor",
  "the end of an attribute": '"><planted>',
  "the end of the other kind": "'><planted>",
  "the end of a script": "</script><planted>",
  "the end of a style": "</style><planted>",
  "the end of a title": "</title></textarea><planted>",
  "the end of a comment": "--><planted>",
  "an entity": "&lt;planted&gt;&#60;planted&#62;",
  "a template": "${planted}{{planted}}<%planted%>",
  "an address of another site": "https://evil.example/",
  "one that looks like a path": "//evil.example",
  "one with a backslash": "/\\evil.example",
  "one with a tab": "/\t/evil.example",
  "one that is encoded": "/%2f%2fevil.example",
  "one that runs": "javascript:planted()",
  "a data address": "data:text/html,<planted>",
  "a NUL": "\u0000",
  "a NUL after a real value": "dark\u0000",
  "new lines": "a\r\nset-cookie: planted=1\r\n\r\n<planted>",
  "letters that go the other way": "\u202E\u2066planted",
  "half a pair": "%ED%A0%80",
  "accents without end": "e\u0301".repeat(2_000),
  "nine thousand letters": "x".repeat(9_000),
  "a hundred thousand": "/".repeat(100_000),
};

export async function expectHarmless(person: Visitor, address: string) {
  const answer = await person.get(base + address);
  const where = address.slice(0, 300);
  expect(answer.status, where).toBeLessThan(500);
  const to = answer.headers.get("location");
  if (to !== null) {
    expect(new URL(to, base).origin, where).toBe(base);
    expect(to, where).toMatch(/^(?:\/(?![/\\])|http:\/\/localhost:3000\/)[!-~]*$/);
  }
  const plantedHeaders = [...answer.headers.keys()].filter((name) => name.includes("planted"));
  const plantedCookies = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith("planted"));
  expect([...plantedHeaders, ...plantedCookies], where).toEqual([]);
  const body = await answer.text();
  if (answer.headers.get("content-type")?.startsWith("text/html")) expect(findExecutable(body), where).toEqual([]);
}

/** Elements and targets from an injected value that a browser would run, open or send data to. */
function findExecutable(html: string): string[] {
  return readElements(html).flatMap(({ tag, attributes }) => {
    const targets = ["href", "src", "action", "formaction", "srcset", "poster"].map((name) => attributes[name] ?? "");
    const leads = targets.filter((target) => isElsewhere(target));
    const isPlanted = tag === "planted" || Object.keys(attributes).some((name) => name.startsWith("on"));
    return isPlanted ? [tag, ...leads] : leads;
  });
}

function isElsewhere(target: string): boolean {
  if (!URL.canParse(target, base)) return false;
  const { protocol, host } = new URL(target, base);
  return protocol === "javascript:" || host.endsWith("evil.example") || target.startsWith("data:text");
}
