import { expect, test } from "vitest";

import {
  createStillApp,
  isSignedIn,
  passFirstStep,
  readBackupCodes,
  signInWithApp,
  twoStep,
} from "./two-step-users.ts";

test("a backup code signs in once, however it is typed, and the owner is told how many are left", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  const [first = ""] = ada.codes;
  const phone = await passFirstStep(app, ada);
  const page = await (await phone.get("/auth/verify?with=backup-code")).text();
  expect(page).toContain("Backup code");
  const typed = ` ${first.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
  expect((await phone.post("/auth/verify?with=backup-code", { kind: "backup-code", code: typed })).status).toBe(302);
  expect(await isSignedIn(phone)).toBe(true);
  const [mail] = (await app.mails()).filter(({ subject }) => subject.includes("backup code"));
  expect(mail?.text).toContain("9 backup codes are left.");
  const thief = await passFirstStep(app, ada);
  const refused = await thief.post("/auth/verify?with=backup-code", { kind: "backup-code", code: first });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(first)]);
});

test("new backup codes replace the old ones and can be downloaded", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  const page = await (await ada.post(twoStep, { intent: "make-codes" })).text();
  const codes = readBackupCodes(page);
  expect(codes).toHaveLength(10);
  const href = /download="meishi-backup-codes.txt"[^>]*href="data:text\/plain;charset=utf-8,([^"]+)"/.exec(page)?.[1];
  for (const code of codes) expect(decodeURIComponent(href ?? "")).toContain(code);
  // Opened again, the page doesn't show them.
  expect(readBackupCodes(await (await ada.get(twoStep)).text())).toEqual([]);
  const phone = await passFirstStep(app, ada);
  const use = (code = "") => phone.post("/auth/verify", { kind: "backup-code", code });
  expect((await use(ada.codes[0])).status).toBe(400);
  expect((await use(codes[0])).status).toBe(302);
});

test("another account's backup code is refused", async () => {
  const app = await createStillApp();
  const eve = await signInWithApp(app, "eve@example.com");
  const ada = await signInWithApp(app);
  const thief = await passFirstStep(app, ada);
  const response = await thief.post("/auth/verify", { kind: "backup-code", code: eve.codes[0] ?? "" });
  expect(response.status).toBe(400);
});
