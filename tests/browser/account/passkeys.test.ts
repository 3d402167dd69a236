import { expect, test } from "vitest";

import { expectFocus, openSite, waitForHydration } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { signUp, turnOnTwoStep } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { expireProofs } from "#tests/support/program/database.ts";
import { openWallet } from "#tests/support/providers/ethereum-wallet.ts";
import type { EthereumWallet } from "#tests/support/providers/ethereum-wallet.ts";

const site = openSite();

/** A user with one passkey of Chromium's own authenticator, which signs without asking, on the page about two-step verification. */
async function openWithPasskey(email: string) {
  const { page, context } = await site.open();
  await signUp(context, site.program, email);
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
  await page.goto("/account/two-step");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Chrome on Linux").waitFor();
  return {
    page,
    setVerified: (isUserVerified: boolean) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    signOut: () => page.request.post("/auth/sign-out", { headers: { origin: site.url } }),
    usePasskey: () => page.getByRole("button", { name: "Use a passkey" }).click(),
    waitForAccount: () => page.getByRole("heading", { name: "Account", exact: true }).waitFor(),
  };
}

test("a passkey is added, named after the browser, renamed, and signs in alone, with a press or without", async () => {
  const { page, signOut, setVerified, usePasskey, waitForAccount } = await openWithPasskey("passkey@example.com");
  await page.getByText("Rename").click();
  await page.getByRole("textbox", { name: "Name" }).fill("My laptop");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("My laptop", { exact: true }).waitFor();
  await signOut();
  // The email field offers the passkey, and the authenticator picks its only one at once.
  await page.goto("/auth/with-passkey?returnTo=%2Faccount");
  await waitForAccount();
  await signOut();
  // In a browser without conditional mediation the button is the way.
  await page.addInitScript(() => {
    Reflect.deleteProperty(PublicKeyCredential, "isConditionalMediationAvailable");
  });
  await setVerified(false);
  await page.goto("/auth/with-passkey?returnTo=%2Faccount");
  const field = page.getByLabel("Email", { exact: true });
  await field.fill("passkey@example.com");
  await usePasskey();
  await page.getByText("No passkey was used").waitFor();
  expect(await field.inputValue()).toBe("passkey@example.com");
  await setVerified(true);
  await usePasskey();
  await waitForAccount();
});

test("the only second step is a passkey: it can't be removed, signs in after the password, and confirms who the user is", async () => {
  const email = "second@example.com";
  const { page, signOut, usePasskey, waitForAccount } = await openWithPasskey(email);
  await page.getByRole("button", { name: "Turn on with passkeys only" }).click();
  const codes = page.getByRole("heading", { name: "Save your backup codes" });
  await codes.waitFor();
  await expectFocus(codes);
  await page.getByRole("link", { name: "I saved my codes" }).click();
  await page.getByRole("button", { name: "Remove Chrome on Linux" }).click();
  await page.getByText("This passkey is your only second step").waitFor();
  await signOut();
  await page.request.post("/auth", {
    form: { intent: "log-in", email, password: seededPassword },
    headers: { origin: site.url },
    maxRedirects: 0,
  });
  await page.goto("/auth/verify?returnTo=%2Faccount");
  await usePasskey();
  await waitForAccount();
  expireProofs(site.program);
  await page.goto("/account/two-step");
  await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
  await usePasskey();
  await page.getByRole("heading", { name: "Two-step verification", exact: true }).waitFor();
  await page.getByRole("button", { name: "Turn off two-step verification" }).click();
  await page.getByText("Two-step verification is off").waitFor();
});

test("the dialog of an ended session leads to the second step in a new tab, and then saves what was typed", async () => {
  const { page, context } = await site.open();
  const { email } = await signUp(context, site.program, "editing@example.com");
  const key = await turnOnTwoStep(context, { url: site.url, email });
  await page.goto("/profile");
  await waitForHydration(page);
  await page.getByLabel("Bio").fill("Typed before the session ended");
  await context.clearCookies();
  await page.getByRole("button", { name: "Save & Close" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to save your changes" });
  await dialog.getByLabel("Password").fill(seededPassword);
  await dialog.getByRole("button", { name: "Sign in and save" }).click();
  const link = dialog.getByRole("link", { name: "Continue in a new tab" });
  await link.waitFor();
  await expectFocus(link);
  const opened = context.waitForEvent("page");
  await link.click();
  const second = await opened;
  await second.getByText("Enter the 6-digit code from your authenticator app.").waitFor();
  // The password alone has not signed in.
  expect((await page.request.get("/account", { maxRedirects: 0 })).status()).toBe(302);
  expect(await page.getByLabel("Bio").inputValue()).toBe("Typed before the session ended");
  // The current code was used to set up the app.
  await second.getByLabel("Code", { exact: true }).fill(codeOf(key, 30));
  await second.getByRole("button", { name: "Verify" }).click();
  await page.waitForURL("**/u/*");
  await page.getByText("Typed before the session ended").waitFor();
});

/** Puts a wallet into the pages of a tab, as an extension does (EIP-1193, EIP-6963). It signs for real, until `refuse` is set. */
async function addWallet({ page }: Tab, wallet: EthereumWallet, { name }: { name: string | undefined }) {
  const state = { refuses: false };
  await page.exposeFunction("askTestWallet", (method: string, params: string[]) => {
    if (state.refuses) throw new Error("User rejected the request.");
    if (method === "eth_requestAccounts") return [wallet.address];
    if (method !== "personal_sign" || params[1] !== wallet.address) throw new Error(`Unexpected request: ${method}`);
    return wallet.personalSign(Buffer.from((params[0] ?? "").slice(2), "hex").toString());
  });
  await page.addInitScript((shownName) => {
    const ask: unknown = Reflect.get(window, "askTestWallet");
    if (typeof ask !== "function") return;
    const provider = {
      request: ({ method, params }: { method: string; params?: string[] }) => ask(method, params ?? []),
    };
    if (shownName === undefined) {
      Reflect.set(window, "ethereum", provider);
      return;
    }
    const detail = Object.freeze({ info: { uuid: "1", name: shownName, icon: "", rdns: "com.example" }, provider });
    const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }, name);
  return state;
}

test("a wallet is connected and signs in, and its user can refuse first", async () => {
  const tab = await site.open();
  const { page } = tab;
  await signUp(tab.context, site.program, "wallet@example.com");
  const state = await addWallet(tab, openWallet(), { name: "<b>Example</b>" });
  const use = page.getByRole("button", { name: "Use <b>Example</b>" });
  await page.goto("/account/connections");
  await page.getByRole("button", { name: "Connect Ethereum wallet" }).click();
  await use.click();
  await page.getByText("Ethereum wallet connected").waitFor();
  await page.request.post("/auth/sign-out", { headers: { origin: site.url } });
  await page.goto("/auth?returnTo=%2Faccount");
  await page.getByRole("link", { name: "Sign in with an Ethereum wallet" }).click();
  state.refuses = true;
  await use.click();
  await page.getByText("The wallet didn’t sign").waitFor();
  expect(await use.getAttribute("aria-disabled")).toBeNull();
  state.refuses = false;
  await use.click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
});

test("a new wallet, an older one that doesn't say its name, leads to a sign-up, and the link survives a change of tabs", async () => {
  const tab = await site.open();
  const { page } = tab;
  await addWallet(tab, openWallet(), { name: undefined });
  await page.goto("/auth");
  await page.getByRole("link", { name: "Sign Up", exact: true }).click();
  await page.getByRole("link", { name: "Login", exact: true }).click();
  await page.getByRole("link", { name: "Sign in with an Ethereum wallet" }).click();
  await page.getByRole("button", { name: "Use the wallet in this browser" }).click();
  await page.getByRole("heading", { name: "This wallet is new here" }).waitFor();
  await page.getByRole("link", { name: "Create a free account" }).click();
  await page.getByRole("heading", { name: "Create your free account" }).waitFor();
  expect(new URL(page.url()).searchParams.get("returnTo")).toBe("/account/wallet");
});

test("a browser without a wallet shows no link, and the page says what is missing", async () => {
  const { page } = await site.open();
  await page.goto("/auth");
  await page.getByRole("link", { name: "Sign in with a passkey" }).waitFor();
  expect(await page.getByText("Sign in with an Ethereum wallet").isVisible()).toBe(false);
  await page.goto("/auth/with-wallet");
  await page.getByText("No wallet was found in this browser.").waitFor();
  expect(await page.getByRole("button", { name: /^Use/ }).count()).toBe(0);
});
