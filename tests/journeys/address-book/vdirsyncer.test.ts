import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { eraseLeads, withdrawConsent } from "#app/features/leads/data.server.ts";
import { tagLeads } from "#app/features/leads/inbox/lead-data.server.ts";
import { listen } from "#tests/support/app/listening-app.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { openAddressBook } from "./address-book.ts";

const [vdirsyncer, khard] = ["/usr/bin/vdirsyncer", "/usr/bin/khard"];
const hasPrograms = [vdirsyncer, khard].every(existsSync);
if (!hasPrograms)
  console.warn("SKIPPED: no address book was synchronized; Debian's packages vdirsyncer and khard do that.");

async function run(file: string, args: string[], { home, input = "" }: { home: string; input?: string }) {
  const child = spawn(file, args, { env: { PATH: "/usr/bin:/bin", HOME: home, LC_ALL: "C.UTF-8" } });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text));
  child.stderr.on("data", (text: Buffer) => (output += text));
  child.stdin.end(input);
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`${file} ${args.join(" ")}: ${output}`);
  return output;
}

test.runIf(hasPrograms)(
  `vdirsyncer finds the address book and follows its changes, and khard reads the contacts${hasPrograms ? "" : " (skipped: vdirsyncer and khard aren't installed)"}`,
  async () => {
    const { services, share, ownerId, password } = await openAddressBook();
    for (const id of ["a", "b", "c"]) await share({ id, email: `${id}@example.com`, company: "Größe, & Söhne; <x>" });
    const { port } = await listen(services);
    const home = makeTempFolder();
    mkdirSync(join(home, "contacts"));
    const config = join(home, "vdirsyncer.conf");
    writeFileSync(config, configOf({ home, port, password }));
    await run(vdirsyncer, ["-c", config, "discover", "leads"], { home, input: "y\ny\n" });
    const folder = join(home, "contacts/leads");
    const sync = async () => {
      await run(vdirsyncer, ["-c", config, "sync"], { home });
      const files = readdirSync(folder).filter((name) => name.endsWith(".vcf"));
      const vcards = files.map((name) => readFileSync(join(folder, name), "utf8"));
      return Object.fromEntries(vcards.map((vcard) => [/^FN:Guest (\w)\r$/m.exec(vcard)?.[1], vcard]));
    };
    expect(Object.keys(await sync()).toSorted()).toEqual(["a", "b", "c"]);
    const khardConfig = join(home, "khard.conf");
    writeFileSync(khardConfig, `[addressbooks]\n[[leads]]\npath = ${folder}\n`);
    const listed = await run(khard, ["-c", khardConfig, "email", "--parsable"], { home });
    expect(listed).toContain("c@example.com\tGuest c");
    expect(await run(khard, ["-c", khardConfig, "show", "Guest c"], { home })).toContain("Größe, & Söhne; <x>");

    await tagLeads(services.db, { ownerId, ids: ["c"], tags: ["Fair"] });
    await withdrawConsent(services, { id: "a", purposes: ["answer"] });
    await eraseLeads(services, { ownerId, ids: ["b"] });
    const { c: changed, ...others } = await sync();
    expect([changed, others]).toEqual([expect.stringContaining("CATEGORIES:Fair\r"), {}]);
  },
);

function configOf({ home, port, password }: { home: string; port: number; password: string }): string {
  return `[general]
status_path = "${home}/status"

[pair leads]
a = "device"
b = "site"
collections = ["from b"]

[storage device]
type = "filesystem"
path = "${home}/contacts"
fileext = ".vcf"

[storage site]
type = "carddav"
url = "http://localhost:${port}/"
username = "ada@example.com"
password = "${password}"
read_only = true
`;
}
