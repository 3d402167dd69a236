import { setTimeout as pause } from "node:timers/promises";

import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { insertPassOnDevices, saveCardElsewhere } from "#tests/support/fixtures/wallet/pass-rows.ts";
import { openPushDouble } from "#tests/support/fixtures/wallet/push-double.ts";

import { createDatabase } from "../pages/databases.ts";
import { residentMb, startMeishi } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

const devices = 10_000;
/** Saves are collected for so long before a push. */
const collectMs = 5_000;

/** A card whose pass is on many devices is saved once. Measures until Apple's push service, a double over HTTP/2, has all pushes. */
export async function passPushes(): Promise<Row[]> {
  const { dataDir, db, close } = await createDatabase();
  const push = await openPushDouble({ closesAfterTest: false });
  push.state.isCountOnly = true;
  const meishi = await startMeishi({ dataDir, environment: { ...walletSettings, APPLE_PUSH_URL: push.url } });
  try {
    await insertPassOnDevices(db, devices);
    await pause(3_000);
    const before = residentMb(meishi.pid);
    const savedAt = performance.now();
    let [firstAt, lastAt, largest] = [0, 0, before];
    push.state.before = async () => {
      lastAt = performance.now();
      firstAt ||= lastAt;
    };
    await saveCardElsewhere(db, "Programmer");
    for (const end = Date.now() + 60_000; push.state.count < devices && Date.now() < end; await pause(20))
      largest = Math.max(largest, residentMb(meishi.pid));
    for (let n = 0; n < 50; n++, await pause(20)) largest = Math.max(largest, residentMb(meishi.pid));
    const seconds = (lastAt - firstAt) / 1_000;
    const total = (lastAt - savedAt) / 1_000;
    const growth = largest - before;
    return [
      {
        what: `passes: one card saved, pushes to ${devices.toLocaleString("en")} devices`,
        value: `${push.state.count.toLocaleString("en")} in ${seconds.toFixed(1)} s, ${push.state.connections} connection; ${total.toFixed(1)} s after the save, of which ${collectMs / 1_000} s are for further saves`,
        bar: atMost(5, push.state.count === devices ? seconds : Infinity, "s"),
      },
      {
        what: "passes: most memory during the pushes, compared with before",
        value: `+${growth.toFixed(0)} MB (${before.toFixed(0)} MB before)`,
        bar: atMost(50, growth, "MB"),
      },
    ];
  } finally {
    await close();
    await meishi.stop();
    await push.close();
  }
}
