import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** The key of a documented example of web3.js, and a random one. */
export const exampleKey = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
export const randomKey = () => Buffer.from(secp256k1.utils.randomSecretKey()).toString("hex");

export type EthereumWallet = { address: string; personalSign(message: string): string };

/** A wallet that signs as `personal_sign` does (ERC-191). Its address is in lowercase. */
export function openWallet(privateKey = randomKey()): EthereumWallet {
  const key = Buffer.from(privateKey, "hex");
  const publicKey = secp256k1.getPublicKey(key, false);
  return {
    address: `0x${Buffer.from(keccak_256(publicKey.subarray(1)))
      .subarray(-20)
      .toString("hex")}`,
    personalSign: (message) => {
      const bytes = Buffer.from(message);
      const hash = keccak_256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]));
      const [recovery = 0, ...rest] = secp256k1.sign(hash, key, { prehash: false, format: "recovered" });
      return `0x${Buffer.from([...rest, recovery + 27]).toString("hex")}`;
    },
  };
}

/** The same signature with the other s, which proves the same: anyone can compute it. */
export function withHighS(signature: string): string {
  const s = secp256k1.Point.CURVE().n - BigInt(`0x${signature.slice(66, 130)}`);
  const recovery = Number.parseInt(signature.slice(130), 16) === 27 ? "1c" : "1b";
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${recovery}`;
}
