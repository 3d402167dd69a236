import { expect, test } from "vitest";

import { openSite } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { openWallet } from "#tests/support/providers/ethereum-wallet.ts";
import type { EthereumWallet } from "#tests/support/providers/ethereum-wallet.ts";

const site = openSite();

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
  await page.getByText("The wallet didn't sign").waitFor();
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
