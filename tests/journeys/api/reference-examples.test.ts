import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInThisContext } from "node:vm";

import { describe, expect, test } from "vitest";

import { cardRequest } from "#app/features/content/docs/examples.ts";
import { shellName } from "#app/features/content/docs/reference/request-examples.ts";
import { referenceFacts } from "#app/features/content/docs/reference/reference-facts.ts";
import { listen } from "#tests/support/app/listening-app.ts";
import { makePremium } from "#tests/support/app/profiles.ts";
import { unescapeHtml } from "#tests/support/app/responses.ts";
import { jpeg } from "#tests/support/app/uploads.ts";

import { createApiApp } from "./api-app.ts";

const site = "http://localhost:3000";

async function createReference() {
  const product = await createApiApp();
  await makePremium(product.services, product.ownerId);
  const { port } = await listen(product.services);
  const read = async (path: string) =>
    unescapeHtml((await (await product.visitor().get(path)).text()).replaceAll(/<wbr\/>|<!-- -->/g, ""));
  return { ...product, port, read };
}

type Shell = { port: number; env: Record<string, string>; cwd?: string };

/** Runs a shell command with curl in it as it is, against another port. Resolves to the status and the body. */
async function runShell(command: string, { port, env, cwd }: Shell) {
  const curl = `curl() { command curl --silent --connect-to localhost:3000:127.0.0.1:${port} --write-out '\\n%{http_code}' "$@"; }`;
  const { PATH = "" } = process.env;
  const { stdout } = await promisify(execFile)("sh", ["-c", `${curl}\n${command}`], { env: { PATH, ...env }, cwd });
  const end = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) };
}

describe("the API reference", () => {
  test("shows each operation with examples for curl and JavaScript, which are accepted as they are", async () => {
    const product = await createReference();
    const { key, port, call, app, dataDir } = product;
    const page = await product.read("/docs/api");
    const operations = referenceFacts(product.services.apiDocument()).resources.flatMap(
      (resource) => resource.operations,
    );
    expect(operations.length).toBeGreaterThan(4);
    const created = new Map<string, string>();
    const file = new Blob([new Uint8Array(await jpeg())]);
    const cwd = mkdtempSync(join(dataDir, "examples-"));
    writeFileSync(join(cwd, "image.jpeg"), await jpeg());

    /** Creates what a parameter in the path names, where the API can; "unknown" otherwise. */
    const idFor = async (path: string, name: string) => {
      const list = path.slice(0, path.indexOf(`/{${name}}`));
      if (list === "/files") {
        await call("PUT /files/avatar", { body: file, headers: { "content-type": "image/jpeg" } });
        return "avatar";
      }
      const create = operations.find((one) => one.method === "POST" && one.path === list);
      if (!create || list.includes("{")) return "unknown";
      const id = created.get(list) ?? (await call(`POST ${list}`, { body: bodyOf(create.examples.curl) })).body.id;
      created.set(list, id);
      // An export is prepared by one.
      await product.services.jobs.runDue();
      return id;
    };
    const sent: unknown[] = [];
    const expected: unknown[] = [];
    for (const { id, method, path, response, examples } of operations) {
      for (const kind of ["curl", "javascript"] as const) {
        expect(page).toContain(examples[kind]);
        const variables: Record<string, string> = {};
        for (const [, name = ""] of path.matchAll(/{(\w+)}/g)) variables[name] = await idFor(path, name);
        const isUnknown = Object.values(variables).includes("unknown");
        expected.push([id, kind, isUnknown ? 404 : Number(response.slice(0, 3))]);
        if (kind === "curl") {
          const env = Object.entries(variables).map(([name, value]) => [shellName(name), value]);
          const got = await runShell(examples.curl, {
            port,
            cwd,
            env: { MEISHI_KEY: key, ...Object.fromEntries(env) },
          });
          sent.push([id, kind, got.status]);
        } else {
          const names = Object.keys(variables);
          const run = runInThisContext(
            `(async (${["fetch", "key", "file", ...names].join(", ")}) => { ${examples.javascript}\nreturn response.status; })`,
          );
          const send = (url: string, init: RequestInit) => app.request(url, init);
          sent.push([id, kind, await run(send, key, file, ...Object.values(variables))]);
        }
        if (method === "DELETE") created.clear();
      }
    }
    expect(sent).toEqual(expected);
  });

  test("names every code, and the fields with their limits", async () => {
    const page = await (await createReference()).read("/docs/api");
    for (const text of ["outcome_unknown", "400: The request is invalid.", "string, at most 100 characters or null"])
      expect(page).toContain(text);
    expect(page).toMatch(/links\[\].url<\/code><\/dt><dd>string. Required./);
  });
});

test("the documentation's request creates a card", async () => {
  const { read, key, port, ownerId } = await createReference();
  const command = cardRequest(site);
  expect(await read("/docs")).toContain(command);
  const got = await runShell(command.replace("your-user-id", ownerId), { port, env: { MEISHI_KEY: key } });
  expect([got.status, JSON.parse(got.text)]).toMatchObject([201, { userId: ownerId, links: [{ name: "Portfolio" }] }]);
});

/** The body in a curl command. */
function bodyOf(command: string): unknown {
  const [, body] = /-d '(.*)'$/s.exec(command) ?? [];
  return body === undefined ? undefined : JSON.parse(body.replaceAll("'\\''", "'"));
}
