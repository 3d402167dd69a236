import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { exampleKey, openWallet, withHighS } from "#tests/support/providers/ethereum-wallet.ts";

import { readAddress, recoverSigner } from "./ethereum-signatures.server.ts";
import { walletMessage } from "./wallet-challenges.server.ts";

const signer = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23";

/** Written and signed by viem 2.57.20 with the key `exampleKey`. */
const ofViem = {
  signIn:
    "cards.example.com wants you to sign in with your Ethereum account:\n0x2c7536E3605D9C16a7a3D7b1898e529396a65c23\n\nSign in to Meishi.\n\nURI: https://cards.example.com/auth/with-wallet\nVersion: 1\nChain ID: 1\nNonce: 0123456789abcdef0123456789abcdef\nIssued At: 2026-11-22T12:00:00.000Z\nExpiration Time: 2026-11-22T12:10:00.000Z",
  ofSignIn:
    "0xe7bf5504a9f9c382f899b66bdd448b80bbde7ccae607e9a8a0b226b91890cdf4648e539ba33b9b97ca842e2c6cd3cba38ffc741c552c4c94cc940d8d17f7ae351c",
  ofUnicode:
    "0x0ac1fc3645e726e1cf4c95d2486cb5157ac2be9591330cf1510a5486d90443367f194f39f2e77556f1458685c491d38c77c6357b1d46c8a308b9dda173c714501c",
  /** Also in the documentation of web3.js: web3.eth.accounts.sign. */
  ofSomeData:
    "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c",
};

test("a message for a wallet has the text that other software writes for ERC-4361", () => {
  const issuedAt = Date.parse("2026-11-22T12:00:00Z");
  const nonce = "0123456789abcdef0123456789abcdef";
  const fields = { baseUrl: "https://cards.example.com", address: signer, nonce, issuedAt };
  expect(walletMessage({ ...fields, isConnecting: false })).toBe(ofViem.signIn);
  const toConnect = walletMessage({ ...fields, isConnecting: true });
  expect(toConnect).toContain("\n\nConnect this wallet to your Meishi account.\n\n");
});

describe("the signature of a wallet", () => {
  test.each([
    ["Some data", ofViem.ofSomeData],
    ["名刺 👋\n", ofViem.ofUnicode],
    [ofViem.signIn, ofViem.ofSignIn],
  ])("that other software made names its signer: %j", async (message, signature) => {
    expect(await recoverSigner(message, signature)).toBe(signer);
    expect((await recoverSigner(`${message} `, signature)) === signer).toBe(false);
    // Some wallets count the recovery id from 0.
    expect(await recoverSigner(message, `${signature.slice(0, -2)}01`)).toBe(signer);
  });

  test("names no one with the higher s, which anyone can compute (EIP-2)", async () => {
    const wallet = openWallet(exampleKey);
    const signature = wallet.personalSign("Some data");
    expect(await recoverSigner("Some data", signature)).toBe(signer);
    expect(await recoverSigner("Some data", withHighS(signature))).toBeUndefined();
  });

  test("names no one if it is malformed", async () => {
    const { ofSomeData: signature } = ofViem;
    const lengths = ["", "0x", "garbage", signature.slice(2), `${signature}00`, signature.slice(0, -2)];
    const values = ["0".repeat(130), `${"0".repeat(128)}1b`, `${"f".repeat(128)}1b`, "g".repeat(130)];
    for (const wrong of [...lengths, `${signature.slice(0, -2)}1d`, ...values.map((hex) => `0x${hex}`)])
      expect(await recoverSigner("Some data", wrong), wrong).toBeUndefined();
  });

  test("names the signer of any message, and never throws", async () => {
    const wallet = openWallet();
    const signer = readAddress(wallet.address);
    const signature = fc.uint8Array({ minLength: 65, maxLength: 65 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), signature, async (message, bytes) => {
        expect(await recoverSigner(message, wallet.personalSign(message))).toBe(signer);
        expect((await recoverSigner(message, `0x${Buffer.from(bytes).toString("hex")}`)) === signer).toBe(false);
      }),
      { numRuns: 25 },
    );
  });
});

test("an address gets its checksum, and is not made of other text", () => {
  // The examples of ERC-55.
  for (const address of [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  ]) {
    expect(readAddress(address.toLowerCase())).toBe(address);
    expect(readAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
  }
  for (const text of ["", "0x", "ada.eth", `0x${"0".repeat(39)}`, `0x${"0".repeat(41)}`, `0x${"g".repeat(40)}`])
    expect(readAddress(text), text).toBeUndefined();
});
