import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { scheduleBehind } from "#app/features/integrations/send-tasks.server.ts";
import { eraseLeads } from "#app/features/leads/data.server.ts";
import { openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { servicesText } from "#tests/support/database/leads.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

const radicale = "/usr/bin/radicale";
const hasRadicale = existsSync(radicale);
if (!hasRadicale) console.warn("SKIPPED: no leads were copied to Radicale; Debian's package radicale does that.");

/** A CardDAV server that others made, with an empty address book. Returns its origin and the folder of the contacts. */
async function startRadicale() {
  const folder = makeTempFolder();
  const port = await freePort();
  const users = join(folder, "users");
  writeFileSync(users, "ada:right\n");
  const config = join(folder, "config");
  const auth = `[auth]\ntype = htpasswd\nhtpasswd_filename = ${users}\nhtpasswd_encryption = plain\n`;
  const storage = `[storage]\nfilesystem_folder = ${folder}/data\n`;
  writeFileSync(config, `[server]\nhosts = 127.0.0.1:${port}\n${auth}${storage}`);
  const contacts = join(folder, "data/collection-root/ada/leads");
  mkdirSync(contacts, { recursive: true });
  writeFileSync(join(contacts, ".Radicale.props"), '{"tag": "VADDRESSBOOK"}');
  const child = spawn(radicale, ["--config", config], { stdio: "ignore" });
  cleanUpAfterTest(() => void child.kill());
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(origin)
      .then(() => true)
      .catch(() => false);
  await expect.poll(isUp).toBe(true);
  const read = () =>
    readdirSync(contacts)
      .filter((name) => name.endsWith(".vcf"))
      .map((name) => readFileSync(join(contacts, name), "utf8"));
  return { origin, read };
}

test.runIf(hasRadicale)(
  `Radicale gets leads as contacts, their changes, and their end${hasRadicale ? "" : " (skipped: radicale isn't installed)"}`,
  async () => {
    const { origin, read } = await startRadicale();
    const { ada, services, ownerId, share } = await openOwner({ allowedOrigins: [origin] });
    const run = async () => {
      await scheduleBehind(services);
      await services.jobs.runDue();
    };
    const connect = (path: string, password = "right") =>
      ada.post("/integrations/new/carddav", { url: `${origin}${path}`, user: "ada", password });
    expect(await (await connect("/ada/leads", "wrong")).text()).toContain("doesn’t accept this. Answer 401.");
    expect(await (await connect("/ada/")).text()).toContain("There is no address book at this address.");
    expect((await connect("/ada/leads")).status).toBe(302);
    await share(
      { id: "grace", name: "Grace Hopper", company: "Größe; Navy", email: "grace@example.com" },
      servicesText,
    );
    await share({ id: "alan", name: "Alan Turing", phone: "+1 555 0100" }, servicesText);
    await run();
    expect(
      read()
        .toSorted()
        .map((text) => /^FN:(.*)\r$/m.exec(text)?.[1])
        .toSorted(),
    ).toEqual(["Alan Turing", "Grace Hopper"]);
    expect(read().join("")).toContain("Größe\\; Navy");
    await eraseLeads(services, { ownerId, ids: ["grace"] });
    await run();
    expect(read()).toHaveLength(1);
    expect(read().join("")).toContain("FN:Alan Turing");
  },
);
