import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createDemoCertificates } from "#app/services/config/demo-certificates.server.ts";
import { freePort, listenAnywhere } from "#tests/support/program/free-port.ts";
import { startProgram } from "#tests/support/program/program.ts";

const deploy = join(import.meta.dirname, "../../../deploy");
const promtool = (args: string[], input = "") => spawnSync("promtool", args, { input, encoding: "utf8" });
const hasPromtool = promtool(["--version"]).status === 0;

test.skipIf(!hasPromtool)("the alert rules are valid, and each fault fires its own within two minutes", () => {
  for (const args of [
    ["check", "rules", join(deploy, "prometheus-alerts.yml")],
    ["test", "rules", join(import.meta.dirname, "alerts.yml")],
  ]) {
    const { status, stdout, stderr } = promtool(args);
    expect(status, stdout + stderr).toBe(0);
  }
});

test("a running program has all metrics of the alerts and the dashboard", async () => {
  const ids = {
    passTypeId: "pass.example.meishi",
    teamId: "DEMODEMO00",
    password: "demo",
    validFrom: Date.now() - 60_000,
    validTo: Date.now() + 60_000,
  };
  const { certificate, key } = createDemoCertificates(ids);
  const site = createServer({ cert: certificate, key, passphrase: "demo" });
  onTestFinished(() => void site.close());
  const port = String(await freePort());
  const program = await startProgram({
    PORT: port,
    METRICS_TOKEN: "a-token-of-prometheus",
    BASE_URL: `https://localhost:${await listenAnywhere(site)}`,
    DEMO: "on",
  });
  onTestFinished(() => program.remove());
  await program.isUp();
  for (let visit = 0; visit < 3; visit++) await fetch(`http://127.0.0.1:${port}/card/demo-card`);
  const read = async () => {
    const headers = { authorization: "Bearer a-token-of-prometheus" };
    return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  };
  const text = await read();
  expect(text).toMatch(/^meishi_http_requests_total\{group="\/card",status="200"\} 3$/m);
  expect(text).toMatch(/^meishi_pages_served_total\{source="rendered"\} 1$/m);
  expect(text).toMatch(/^meishi_pages_served_total\{source="memory"\} 2$/m);
  if (hasPromtool) {
    const { status, stderr, stdout } = promtool(["check", "metrics"], text);
    expect(status, stdout + stderr).toBe(0);
  }
  const files = ["prometheus-alerts.yml", "grafana-dashboard.json"].map((name) =>
    readFileSync(join(deploy, name), "utf8"),
  );
  const used = new Set(files.join().match(/\b(?:meishi|nodejs|process)_[a-z\d_]+/g));
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name));
  const missing = [...used].filter((name) => !known.has(name.replace(/_bucket$/, "")));
  // Only PostgreSQL has connections, and this installation has no backup.
  expect(missing.toSorted()).toEqual(["meishi_backup_timestamp_seconds", "meishi_database_connections"]);
});
