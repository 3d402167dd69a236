import { execFile } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";

import { environment } from "#app/services/config/config.server.ts";
import { createDemoCertificates } from "#app/services/config/demo-certificates.server.ts";
import { jpeg } from "#tests/support/app/uploads.ts";
import { withDatabase } from "#tests/support/program/database.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt } from "#tests/support/program/users.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

let program: Program;
beforeAll(async () => {
  program = await startProgram();
  await program.isUp();
});
afterAll(() => program.remove());

/** Runs `npm run doctor` beside the program: its exit code, and the line of each check. */
async function examine(env: Record<string, string> = {}, args: string[] = []) {
  const file = join(import.meta.dirname, "../../../build/server/doctor.js");
  const settings = { PATH: environment().PATH, DATA_DIR: program.dataDir, BASE_URL: program.url, ...env };
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  execFile(process.execPath, [file, ...args], { env: settings }, (error, output) =>
    resolve({ code: typeof error?.code === "number" ? error.code : 0, output }),
  );
  const { code, output } = await promise;
  const lines = [...output.matchAll(/^(ok|warning|ERROR) +(.+?) {2,}(.+)(?:\n {31} (.+))?$/gm)];
  const found = new Map(lines.map(([, state, name = "", text, fix = ""]) => [name, `${state}: ${text} ${fix}`.trim()]));
  return { code, output, found };
}

/** A proxy as nginx is without settings: it names the client, and refuses bodies of more than 1 MB. */
async function openProxy(): Promise<string> {
  const server = createServer((request, response) => {
    if (Number(request.headers["content-length"] ?? 0) > 1_000_000) return void response.writeHead(413).end();
    const headers = {
      "x-forwarded-for": "198.51.100.7",
      "x-meishi-doctor": String(request.headers["x-meishi-doctor"]),
    };
    void fetch(program.url + request.url, { headers }).then(async (answer) => {
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  onTestFinished(() => void server.close());
  return `http://localhost:${await listenAnywhere(server)}`;
}

test("a healthy installation has no errors, and exits with 0", async () => {
  const { code, found, output } = await examine({}, ["--mail", "ada@example.com"]);
  expect(
    [...found].filter(([, line]) => line.startsWith("ERROR")),
    output,
  ).toEqual([]);
  expect(code).toBe(0);
  expect(found.get("Email")).toBe("ok: The test email to ada@example.com was accepted.");
  expect(found.get("This installation")).toMatch(/^ok: Meishi [\d.]+ is running\.$/);
  expect(found.get("Upload size")).toBe("ok: Files of 5 MB arrive.");
  expect(found.get("Backups")).toContain("warning: There are no daily backups. Set BACKUP=daily");
});

test("the version and the address of a request are sent to no one else", async () => {
  for (const proof of ["", "9999999999999.forged", "9999999999999"]) {
    const response = await fetch(`${program.url}/healthz`, { headers: { "x-meishi-doctor": proof } });
    expect(await response.json()).toEqual({ status: "ok", database: "ok" });
  }
});

test("a proxy that isn't trusted, or refuses uploads, is named with its setting", async () => {
  const { code, found } = await examine({ BASE_URL: await openProxy() });
  expect(code).toBe(1);
  expect(found.get("Reverse proxy")).toMatch(
    /^ERROR: A proxy at 127\.0\.0\.1 isn't trusted.* Set TRUSTED_PROXY=127\.0\.0\.1$/,
  );
  const wrong = await examine({ BASE_URL: await openProxy(), TRUSTED_PROXY: "10.0.0.2" });
  expect(wrong.found.get("Reverse proxy")).toMatch(
    /^ERROR: TRUSTED_PROXY is 10\.0\.0\.2, but the proxy is 127\.0\.0\.1/,
  );
  expect(found.get("Upload size")).toBe("ERROR: A proxy refuses files of 5 MB (413). nginx: client_max_body_size 6m;");
});

test("an expired certificate, a mail server that is away, and another installation are named", async () => {
  const day = 24 * 60 * 60_000;
  const times = { validFrom: Date.now() - 9 * day, validTo: Date.now() - day };
  const ids = { passTypeId: "pass.example.meishi", teamId: "DEMODEMO00", password: "demo" };
  const { certificate, key } = createDemoCertificates({ ...ids, ...times });
  const server = createTlsServer({ cert: certificate, key, passphrase: "demo" }, (_request, response) =>
    response.end(),
  );
  onTestFinished(() => void server.close());
  const port = await listenAnywhere(server);
  const { code, found } = await examine({ BASE_URL: `https://localhost:${port}`, SMTP_URL: "smtp://127.0.0.1:1" });
  expect(code).toBe(1);
  expect(found.get("Certificate")).toMatch(/^ERROR: Browsers refuse it: /);
  expect(found.get("Email")).toMatch(/^ERROR: .*ECONNREFUSED.* Check SMTP_URL/);
  const other = createServer((_request, response) => response.end("{}"));
  onTestFinished(() => void other.close());
  const elsewhere = await examine({ BASE_URL: `http://localhost:${await listenAnywhere(other)}` });
  expect(elsewhere.found.get("This installation")).toMatch(/^ERROR: .* is another installation, or has other secrets/);
});

test("a database that is away, and settings that are wrong, are named", async () => {
  const away = await examine({ DATABASE_URL: "postgres://ada:secret-word@127.0.0.1:1/cards" });
  expect(away.found.get("Database")).toMatch(/^ERROR: The database 127\.0\.0\.1:1\/cards .*nothing is listening there/);
  expect(away.output).not.toContain("secret-word");
  const wrong = await examine({ BACKUP: "weekly" });
  expect([wrong.code, wrong.found.get("Settings")]).toEqual([1, expect.stringContaining('ERROR: BACKUP is "weekly"')]);
  const nowhere = await examine({ DATA_DIR: join(makeTempFolder(), "none") });
  expect([...nowhere.found.keys()]).toEqual(["Settings", "Data folder"]);
});

test("a stuck job, a missing file and open secrets are named", async () => {
  const grace = await signUpAt(program, "grace@example.com");
  const body = new Uint8Array(await jpeg());
  const headers = { origin: program.url };
  const uploaded = await grace.request("/uploads/avatar?name=a.jpg", { method: "POST", body, headers });
  const { keyPrefix } = z.object({ keyPrefix: z.string() }).parse(await uploaded.json());
  expect((await examine()).found.get("Uploaded files")).toMatch(
    /^ok: \d+ files\. None is missing, and 0 belong to no upload\.$/,
  );
  rmSync(join(program.dataDir, "files", `${keyPrefix}_192.webp`));
  const secrets = join(program.dataDir, "secrets.json");
  const content = readFileSync(secrets);
  writeFileSync(secrets, "{");
  const damaged = await examine();
  expect(damaged.found.get("Secrets")).toMatch(/^ERROR: The secrets in .* are damaged/);
  expect(damaged.found.has("Email")).toBe(true);
  writeFileSync(secrets, content);
  chmodSync(secrets, 0o644);
  withDatabase(program.dataDir, (database) =>
    database.exec(`insert into job (id, kind, payload, run_at, tries, leased_until, created_at) values
      ('late', 'unknown-kind', '{}', 1, 0, 0, 1), ('done', 'mail', '{}', 1, 10, 0, 1)`),
  );
  const { code, found } = await examine();
  expect(code).toBe(1);
  expect(found.get("Uploaded files")).toMatch(/^ERROR: 1 files are missing, such as avatars\//);
  expect(found.get("Secrets")).toMatch(/^ERROR: Others may read .*\(644\)\. chmod 600/);
  expect(found.get("Background jobs")).toMatch(/^ERROR: Due for more than five minutes: 1 × unknown-kind\./);
});
