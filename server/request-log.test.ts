import { describe, expect, test } from "vitest";

import { createTestApp } from "#tests/support/test-app.ts";

import { newRequestId } from "./request-log.ts";

describe("the log", () => {
  test("has one line for each request, with the id that the answer carries, and no query", async () => {
    const { visitor, logLines } = await createTestApp({ env: { DEMO: "on" } });
    const asked = [
      ["GET", "/card/demo-card?q", 200],
      ["GET", "/card/demo-card?q", 200],
      ["HEAD", "/card/demo-card", 200],
      ["GET", "/nowhere?token=secret", 404],
      ["GET", "/reset-password?token=secret", 200],
      ["POST", "/auth?returnTo=/secret", 403],
      ["PUT", "/auth", 405],
      ["GET", "/profile", 302],
      ["GET", "/healthz", 200],
    ] as const;
    for (const [method, path, status] of asked) {
      const answer = await visitor().request(path, { method });
      expect(answer.status, path).toBe(status);
      const id = answer.headers.get("x-request-id");
      const lines = logLines.filter((line) => line["id"] === id && "status" in line);
      expect(lines).toMatchObject([{ method, path: path.split("?")[0], status, ms: expect.any(Number) }]);
    }
    expect(JSON.stringify(logLines)).not.toContain("secret");
  });

  test("says why an answer was a crash, under the id that the person was given", async () => {
    const { signedIn, services, logLines } = await createTestApp();
    const ada = await signedIn();
    await services.db.schema.alterTable("session").renameTo("gone").execute();
    const answer = await ada.get("/profile");
    expect(answer.status).toBe(500);
    const page = await answer.text();
    const id = answer.headers.get("x-request-id") ?? "";
    expect(page).toContain("Something went wrong");
    expect(page).toContain(id);
    expect(page).not.toMatch(/no such table|sqlite|session/i);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(logLines).toContainEqual(expect.objectContaining({ id, msg: "request failed", level: 50 }));
    expect(logLines).toContainEqual(expect.objectContaining({ id, status: 500 }));
  });

  test("can't be made to say what was not so: line breaks in an address stay in their line", async () => {
    const { visitor, logLines } = await createTestApp();
    const answer = await visitor().get('/a%0a{"level":30,"msg":"evil"}%0d%0a');
    const line = logLines.find(({ id }) => id === answer.headers.get("x-request-id"));
    expect(line).toMatchObject({ status: 404 });
    expect(logLines.filter(({ msg }) => msg === "evil")).toEqual([]);
  });
});

test("an id is never given twice", () => {
  const ids = new Set(Array.from({ length: 10_000 }, newRequestId));
  expect(ids.size).toBe(10_000);
});
