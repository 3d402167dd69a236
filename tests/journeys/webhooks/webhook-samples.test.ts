import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { expect, test } from "vitest";

import { rotateSecret } from "#app/features/webhooks/data.server.ts";
import { formatBody } from "#app/features/webhooks/event-content.server.ts";
import { sampleContent } from "#app/features/webhooks/event-examples.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import { readSource } from "#tests/support/sources.ts";

import { openWebhook, origin } from "./webhook-owner.ts";

/** The first sample in a language of docs/webhooks.md. */
function readSample(language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readSource("docs/webhooks.md"))?.[1] ?? "";
}

/** A message as an endpoint gets it. */
async function receiveMessage() {
  const { record, ownerId, id, secret, services, sender, received } = await openWebhook();
  await record();
  const newSecret = (await rotateSecret(services, { ownerId, id, origin })) ?? "";
  await sender.runDue();
  const [hook] = received;
  const headers = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, hook?.headers[name] ?? ""]),
  );
  return { headers, body: hook?.body ?? "", secrets: [secret, newSecret] };
}

test("the server in the documentation accepts our messages, and no changed ones", async () => {
  const { headers, body, secrets } = await receiveMessage();
  const folder = mkdtempSync(join(tmpdir(), "meishi-sample-"));
  cleanUpAfterTest(() => rmSync(folder, { recursive: true }));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "server.mjs"), readSample("js"));
  for (const secret of secrets) {
    const port = await freePort();
    const env = { PATH: process.env["PATH"], WEBHOOK_SECRET: secret, PORT: String(port) };
    const server = spawn(process.execPath, ["server.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    cleanUpAfterTest(() => void server.kill("SIGKILL"));
    let output = "";
    server.stdout.on("data", (text: Buffer) => (output += text));
    const send = (text: string) => fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: text });
    await expect.poll(() => send("{}").then(({ status }) => status)).toBe(400);
    expect((await send(body)).status).toBe(204);
    expect((await send(body.replace("free", "premium"))).status).toBe(400);
    expect(output).toContain("plan.changed");
    server.kill("SIGKILL");
    await once(server, "exit");
  }
});

test("the function in the documentation accepts our messages, and no changed or old ones", async () => {
  const { headers, body, secrets } = await receiveMessage();
  const old = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 3_600) };
  const check = `${readSample("python")}
import json, sys
for headers, body in json.load(sys.stdin): print(verify(body.encode(), headers))
`;
  const messages = [
    [headers, body],
    [headers, body.replace("free", "premium")],
    [old, body],
  ];
  for (const secret of secrets) {
    const env = { PATH: process.env["PATH"], WEBHOOK_SECRET: secret };
    const output = execFileSync("python3", ["-c", check], { env, input: JSON.stringify(messages), encoding: "utf8" });
    expect(output.split("\n")).toEqual(["True", "False", "False", ""]);
  }
});

test("the message in the documentation has the form of ours", () => {
  const now = Date.UTC(2026, 10, 23, 10);
  const content = sampleContent("contact.saved", { baseUrl: "https://meishi.example", now });
  const body = formatBody({ kind: "contact.saved", happenedAt: now, content, count: 3, isTest: false });
  expect(readSample("json").trim()).toBe(body);
});
