import { expect, test } from "vitest";

import { expectFocus, openSite } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { cosePublicKey } from "#tests/support/fixtures/software-passkey.ts";
import { expireProofs, raisePasskeyCounters, storePasskeyKey } from "#tests/support/program/database.ts";
import { seededPassword } from "#tests/support/database/seed.ts";

const site = openSite();

/** Chromium's own authenticator: it signs as a phone with a fingerprint reader does, without asking. */
async function addAuthenticator({ page, context }: Tab) {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

/** A user with one passkey, on the page about two-step verification. */
async function openWithPasskey(email: string) {
  const tab = await site.open();
  const { page } = tab;
  page.setDefaultTimeout(10_000);
  await signUp(tab.context, site.program, email);
  const authenticator = await addAuthenticator(tab);
  await page.goto("/account/two-step");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Chrome on Linux").waitFor();
  return { ...tab, ...authenticator };
}

async function signOut({ page }: Tab) {
  await page.request.post("/auth/sign-out", { headers: { origin: site.url } });
}

test("a passkey is added, named after the browser, renamed, and signs in alone", async () => {
  const tab = await openWithPasskey("passkey@example.com");
  const { page } = tab;
  await page.getByText("Rename").click();
  await page.getByRole("textbox", { name: "Name" }).fill("My laptop");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("My laptop", { exact: true }).waitFor();
  await signOut(tab);
  // In a browser without conditional mediation the button is the way.
  await page.addInitScript(() => {
    Reflect.deleteProperty(PublicKeyCredential, "isConditionalMediationAvailable");
  });
  await page.goto("/auth/with-passkey?returnTo=%2Faccount");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
});

test("the email field offers the passkey without a press", async () => {
  const tab = await openWithPasskey("conditional@example.com");
  await signOut(tab);
  // The authenticator picks its only passkey at once.
  await tab.page.goto("/auth/with-passkey?returnTo=%2Faccount");
  await tab.page.getByRole("heading", { name: "Account", exact: true }).waitFor();
});

test("a passkey is the second step after the password", async () => {
  const tab = await openWithPasskey("second@example.com");
  const { page } = tab;
  await page.getByRole("button", { name: "Turn on with passkeys only" }).click();
  const codes = page.getByRole("heading", { name: "Save your backup codes" });
  await codes.waitFor();
  await expectFocus(codes);
  await signOut(tab);
  await page.request.post("/auth", {
    form: { intent: "log-in", email: "second@example.com", password: seededPassword },
    headers: { origin: site.url },
    maxRedirects: 0,
  });
  await page.goto("/auth/verify?returnTo=%2Faccount");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
});

test("a passkey confirms who the user is, where two-step verification is on", async () => {
  const { page } = await openWithPasskey("confirming@example.com");
  await page.getByRole("button", { name: "Turn on with passkeys only" }).click();
  await page.getByRole("link", { name: "I saved my codes" }).click();
  await page.getByRole("heading", { name: "Two-step verification", exact: true }).waitFor();
  expireProofs(site.program);
  await page.goto("/account/two-step");
  await page.getByRole("heading", { name: "Confirm it's you" }).waitFor();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Two-step verification", exact: true }).waitFor();
  await page.getByRole("button", { name: "Turn off two-step verification" }).click();
  await page.getByText("Two-step verification is off").waitFor();
});

test("the only second step can't be removed", async () => {
  const { page } = await openWithPasskey("only@example.com");
  await page.getByRole("button", { name: "Turn on with passkeys only" }).click();
  await page.getByRole("link", { name: "I saved my codes" }).click();
  await page.getByRole("button", { name: "Remove Chrome on Linux" }).click();
  await page.getByText("This passkey is your only second step").waitFor();
});

test("a recorded response works once, and on this site only", async () => {
  const tab = await openWithPasskey("replayed@example.com");
  const { page } = tab;
  await signOut(tab);
  await page.addInitScript(() => {
    Reflect.deleteProperty(PublicKeyCredential, "isConditionalMediationAvailable");
  });
  const posted = page.waitForRequest((request) => request.postData()?.includes("credential=%7B") ?? false);
  await page.goto("/auth/with-passkey");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  const body = (await posted).postData() ?? "";
  await page.waitForURL("**/profile");
  await signOut(tab);
  const send = (text: string) =>
    page.request.post("/auth/with-passkey", {
      data: text,
      headers: { origin: site.url, "content-type": "application/x-www-form-urlencoded" },
      maxRedirects: 0,
    });
  const replayed = await send(body);
  expect([replayed.status(), replayed.headers()["location"]]).toEqual([400, undefined]);
  const fields = new URLSearchParams(body);
  const credential = JSON.parse(fields.get("credential") ?? "{}");
  const clientData = JSON.parse(Buffer.from(credential.response.clientDataJSON, "base64url").toString());
  for (const change of [{ origin: "https://evil.example" }, { type: "webauthn.create" }]) {
    const options = await page.request.post("/auth/passkey", {
      form: { purpose: "sign-in" },
      headers: { origin: site.url },
    });
    const { challenge } = await options.json();
    const changed = Buffer.from(JSON.stringify({ ...clientData, challenge, ...change })).toString("base64url");
    const response = { ...credential.response, clientDataJSON: changed };
    fields.set("credential", JSON.stringify({ ...credential, response }));
    expect((await send(fields.toString())).status()).toBe(400);
  }
});

test("a passkey of another site is refused, even if its key were stored for the account", async () => {
  const tab = await openWithPasskey("phished@example.com");
  const { page, context } = tab;
  await signOut(tab);
  const options = await page.request.post("/auth/passkey", {
    form: { purpose: "sign-in" },
    headers: { origin: site.url },
  });
  const { challenge } = await options.json();
  const evil = "http://evil.localhost:5555";
  await context.route(`${evil}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Evil</title>" }),
  );
  await page.goto(evil);
  const { credential, x, y } = await page.evaluate(signOnAnotherSite, String(challenge));
  const publicKey = cosePublicKey(x, y).toString("base64url");
  storePasskeyKey(site.program, { email: "phished@example.com", credentialId: credential.id, publicKey });
  const response = await page.request.post("/auth/with-passkey", {
    form: { credential: JSON.stringify(credential) },
    headers: { origin: site.url },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(400);
  expect(await response.text()).toContain("This passkey can&#x27;t be used here");
});

/** Makes a passkey of the site that is open, and signs our challenge with it. Runs in the browser. */
async function signOnAnotherSite(challenge: string) {
  const toText = (bytes: ArrayBuffer) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
  const bytes = Uint8Array.from(atob(challenge.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: bytes,
      rp: { name: "Evil" },
      user: { id: new Uint8Array([1]), name: "ada", displayName: "Ada" },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    },
  });
  const used = await navigator.credentials.get({ publicKey: { challenge: bytes, userVerification: "required" } });
  if (!(made instanceof PublicKeyCredential) || !(made.response instanceof AuthenticatorAttestationResponse))
    throw new Error("No passkey was made");
  if (!(used instanceof PublicKeyCredential) || !(used.response instanceof AuthenticatorAssertionResponse))
    throw new Error("No passkey was used");
  // The coordinates are at the end of a P-256 key in DER.
  const key = made.response.getPublicKey()?.slice(-64) ?? new ArrayBuffer();
  const { clientDataJSON, authenticatorData, signature } = used.response;
  return {
    x: toText(key.slice(0, 32)),
    y: toText(key.slice(32)),
    credential: {
      id: used.id,
      rawId: used.id,
      type: used.type,
      clientExtensionResults: {},
      response: {
        clientDataJSON: toText(clientDataJSON),
        authenticatorData: toText(authenticatorData),
        signature: toText(signature),
      },
    },
  };
}

test("a copy of a device, whose counter is behind, is refused", async () => {
  const tab = await openWithPasskey("copied@example.com");
  const { page } = tab;
  await signOut(tab);
  raisePasskeyCounters(site.program);
  await page.addInitScript(() => {
    Reflect.deleteProperty(PublicKeyCredential, "isConditionalMediationAvailable");
  });
  await page.goto("/auth/with-passkey");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("This passkey can't be used here").waitFor();
});

test("a canceled passkey leaves the page as it was, with a message", async () => {
  const tab = await openWithPasskey("canceled@example.com");
  const { page, devtools, authenticatorId } = tab;
  await signOut(tab);
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.addInitScript(() => {
    Reflect.deleteProperty(PublicKeyCredential, "isConditionalMediationAvailable");
  });
  await page.goto("/auth/with-passkey");
  await page.getByLabel("Email", { exact: true }).fill("canceled@example.com");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("No passkey was used").waitFor();
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("canceled@example.com");
});
