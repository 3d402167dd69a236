import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { createKey, hashKey } from "#app/services/api/api-key.ts";
import { insertAccount } from "#tests/support/program/database.ts";

import { load } from "../load.ts";
import type { Load } from "../load.ts";
import { median, startMeishi } from "../program.ts";
import type { Program } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

/** So many that none reaches its limit of requests a minute. */
const keyCount = 500;
const rounds = 5;

/** A card that a program reads with a key, against a function of the site that finds a session and reads the card, and the cached page. */
export async function apiRequests(wrk: string): Promise<Row[]> {
  const meishi = await startMeishi();
  try {
    const owner = await insertAccount(meishi, "ada@example.com");
    const keys = insertKeys(meishi, owner.id);
    const card = await createCard(meishi, keys[0] ?? "");
    const script = join(meishi.dataDir, "keys.lua");
    writeFileSync(script, keyScript(keys));
    const { pid, url } = meishi;
    const targets = {
      api: { url: `${url}/api/v1/cards/${card.id}`, pid, script },
      session: {
        url: `${url}/functions/v1/card-version?card=${card.id}`,
        pid,
        headers: { cookie: `${owner.name}=${owner.value}` },
      },
      page: { url: card.url, pid },
    };
    const loads: Record<keyof typeof targets, Load[]> = { api: [], session: [], page: [] };
    const order = ["api", "session", "page"] as const;
    for (let round = 0; round < rounds; round++)
      for (const name of round % 2 === 0 ? order : order.toReversed())
        loads[name].push(await load(wrk, { ...targets[name], seconds: 3 }));
    const cpu = (name: keyof typeof loads) => median(loads[name].map((one) => one.cpuMicroseconds));
    const ratio = cpu("api") / cpu("session");
    return [
      { what: "GET /api/v1/cards/{id}", value: `${cpu("api").toFixed(0)} µs CPU` },
      { what: "a session looked up and the card read", value: `${cpu("session").toFixed(0)} µs CPU` },
      { what: "API vs. session and read, CPU", value: ratio.toFixed(2), bar: atMost(1.5, ratio) },
      { what: "API vs. the cached page of the card, CPU", value: (cpu("api") / cpu("page")).toFixed(1) },
    ];
  } finally {
    await meishi.stop();
  }
}

function insertKeys({ dataDir }: Program, ownerId: string): string[] {
  const keys = Array.from({ length: keyCount }, createKey);
  const database = new DatabaseSync(join(dataDir, "meishi.db"), { timeout: 5_000 });
  const insert = database.prepare(
    "insert into api_key (id, owner_id, name, key_hash, ending, scopes, created_at) values (?, ?, '', ?, '', ?, 0)",
  );
  const scopes = JSON.stringify(["cards:read", "cards:write"]);
  database.exec("begin");
  for (const [at, key] of keys.entries()) insert.run(`key-${at}`, ownerId, hashKey(key), scopes);
  database.exec("commit");
  database.close();
  return keys;
}

async function createCard({ url }: Program, key: string): Promise<{ id: string; url: string }> {
  const response = await fetch(`${url}/api/v1/cards`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ cardName: "Work", company: "Engines", email: "ada@example.com", phone: "+44 20 7946 0000" }),
  });
  const { id, url: page }: { id: string; url: string } = JSON.parse(await response.text());
  return { id, url: url + new URL(page).pathname };
}

function keyScript(keys: readonly string[]): string {
  return `local keys = {${keys.map((key) => `"${key}"`).join(",")}}
local at = 0
request = function()
  at = at % #keys + 1
  wrk.headers["authorization"] = "Bearer " .. keys[at]
  return wrk.format("GET")
end
`;
}
