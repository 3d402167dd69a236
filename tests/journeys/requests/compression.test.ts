import { expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";

test("every page is sent compressed to browsers that accept it, and uncompressed to others", async () => {
  const { visitor } = await createTestApp();
  const toast = { cookie: "meishi.toast=not-one-of-ours" };
  // Cached pages, rendered pages, and a cached one for a visitor with a toast.
  const paths = ["/", "/", "/pricing", "/u/demo-user", "/auth", "/nowhere", "/?screen=hero", "/pricing/"];
  for (const [path, headers] of [...paths.map((path) => [path, {}] as const), ["/", toast] as const]) {
    const small = await visitor().get(path, { "accept-encoding": "gzip", ...headers });
    expect(small.headers.get("content-encoding")).toBe("gzip");
    expect(small.headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
    const text = await new Response(small.body?.pipeThrough(new DecompressionStream("gzip"))).text();
    expect(text).toContain("</html>");
    expect((await visitor().get(path)).headers.get("content-encoding")).toBeNull();
  }
});
