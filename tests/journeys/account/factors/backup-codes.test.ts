import { expect, test } from "vitest";

import { isSignedIn, readPage } from "#tests/support/app/visitor.ts";

import {
  createStillApp,
  openWithApp,
  passFirstStep,
  readBackupCodes,
  signInWithApp,
  twoStep,
} from "./two-step-users.ts";

test("a backup code signs in once, however it is typed, and the owner is told how many are left", async () => {
  const { app, ada } = await openWithApp();
  const [first = ""] = ada.codes;
  const path = "/auth/verify?with=backup-code";
  const phone = await passFirstStep(app, ada);
  expect(await readPage(phone, path)).toContain("Backup code");
  const typed = ` ${first.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
  expect((await phone.post(path, { kind: "backup-code", code: typed })).status).toBe(302);
  expect(await isSignedIn(phone)).toBe(true);
  const [mail] = (await app.mails()).filter(({ subject }) => subject.includes("backup code"));
  expect(mail?.text).toContain("9 backup codes are left.");
  const refused = await (await passFirstStep(app, ada)).post(path, { kind: "backup-code", code: first });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(first)]);
});

test("new backup codes replace the old ones and can be downloaded, and another account's are refused", async () => {
  const app = await createStillApp();
  const eve = await signInWithApp(app, "eve@example.com");
  const ada = await signInWithApp(app);
  const page = await (await ada.post(twoStep, { intent: "make-codes" })).text();
  const codes = readBackupCodes(page);
  expect(codes).toHaveLength(10);
  const href = /download="meishi-backup-codes.txt"[^>]*href="data:text\/plain;charset=utf-8,([^"]+)"/.exec(page)?.[1];
  for (const code of codes) expect(decodeURIComponent(href ?? "")).toContain(code);
  // Opened again, the page doesn't show them.
  expect(readBackupCodes(await readPage(ada, twoStep))).toEqual([]);
  const phone = await passFirstStep(app, ada);
  for (const [code = "", status] of [
    [ada.codes[0], 400],
    [eve.codes[0], 400],
    [codes[0], 302],
  ] as const)
    expect((await phone.post("/auth/verify", { kind: "backup-code", code })).status).toBe(status);
});
