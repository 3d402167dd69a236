import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";

import { createClientApp, openClient } from "./client-app.ts";

const code = (secret: string, timestamp = Date.now()) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });

test("an authenticator app is set up in an app, asked for at the next sign-in, and removed", async () => {
  const product = await createClientApp();
  const { client, ada, mails, services } = product;
  const enroll = () => client.auth.mfa.enroll({ factorType: "totp" });
  expect((await enroll()).error?.code).toBe("reauthentication_needed");
  await client.auth.reauthenticate();
  const nonce = /^\d{6}/.exec((await mails("is your Meishi code"))[0]?.subject ?? "")?.[0] ?? "";
  expect((await client.auth.updateUser({ nonce })).error).toBeNull();
  const { data: enrolled } = await enroll();
  if (enrolled?.type !== "totp") throw new Error("no factor");
  const { id: factorId, totp } = enrolled;
  expect(totp.uri).toMatch(/^otpauth:\/\/totp\//);
  expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg[^#]+$/);
  const turnOn = () => client.auth.mfa.challengeAndVerify({ factorId, code: code(totp.secret) });
  const { data: on } = await turnOn();
  expect(on).toMatchObject({ backup_codes: expect.arrayContaining([expect.any(String)]) });
  expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe("aal2");
  // A browser that was signed in with the password alone isn't any more.
  expect((await ada.get("/account")).status).toBe(302);

  const other = openClient(product).client;
  const { data } = await other.auth.signInWithPassword({ email: ada.email, password: ada.password });
  expect((await other.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: "aal1",
    nextLevel: "aal2",
  });
  // Until then, the session opens nothing else.
  expect((await other.auth.reauthenticate()).error?.code).toBe("insufficient_aal");
  expect((await other.auth.updateUser({ password: "tea with Charles" })).error?.code).toBe("insufficient_aal");
  expect(data.user?.factors).toMatchObject([{ id: "totp", status: "verified" }]);
  const third = openClient(product).client;
  await third.auth.signInWithPassword({ email: ada.email, password: ada.password });
  await third.auth.signOut({ scope: "global" });
  expect((await client.auth.getUser()).error).toBeNull();
  const [factor] = (await other.auth.mfa.listFactors()).data?.totp ?? [];
  expect(factor?.id).toBe("totp");
  // By the ID that it had while it was new, too.
  const verify = (given: string) => other.auth.mfa.challengeAndVerify({ factorId, code: given });
  expect((await verify("000000")).error?.code).toBe("mfa_verification_failed");
  await services.db.updateTable("second_factor").set({ totp_step: 0 }).execute();
  expect((await verify(code(totp.secret))).error).toBeNull();
  expect((await other.auth.getUser()).data.user?.email).toBe(ada.email);
  // Someone else's factor has no ID here, and removing this one needs a new proof.
  expect((await other.auth.mfa.unenroll({ factorId: "someone-elses" })).error?.code).toBe("mfa_factor_not_found");
  expect((await other.auth.mfa.unenroll({ factorId: "totp" })).error?.code).toBe("reauthentication_needed");
  // As on our pages, that takes both factors: the second one, too, was checked too long ago.
  const old = JSON.stringify([{ method: "totp", timestamp: Math.floor(Date.now() / 1000) - 601 }]);
  await services.db.updateTable("app_session").set({ proofs: old }).execute();
  expect((await client.auth.mfa.unenroll({ factorId: "totp" })).error?.code).toBe("insufficient_aal");
  await services.db.updateTable("second_factor").set({ totp_step: 0 }).execute();
  expect((await client.auth.mfa.challengeAndVerify({ factorId: "totp", code: code(totp.secret) })).error).toBeNull();
  expect((await client.auth.mfa.unenroll({ factorId: "totp" })).error).toBeNull();
  expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
});
