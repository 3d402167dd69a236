import { keccak_256 } from "@noble/hashes/sha3.js";

const addressPattern = /^0x[\da-f]{40}$/i;
/** r and s of 32 bytes each, and the recovery id. */
const signaturePattern = /^0x[\da-f]{130}$/i;

/** The address with the checksum of ERC-55 in its capital letters: "0xd8dA6BF2…". Undefined for text that is no address. */
export function readAddress(text: string): string | undefined {
  if (!addressPattern.test(text)) return undefined;
  const digits = text.slice(2).toLowerCase();
  const checksum = Buffer.from(keccak_256(Buffer.from(digits))).toString("hex");
  const withCase = [...digits].map((digit, at) =>
    Number.parseInt(checksum[at] ?? "", 16) > 7 ? digit.toUpperCase() : digit,
  );
  return `0x${withCase.join("")}`;
}

/**
 * The address whose key signed a message as ERC-191 describes (`personal_sign`), with its checksum. Undefined for text that is no
 * signature. Contract accounts (ERC-1271) aren't recognized: that needs a request to a node.
 */
export async function recoverSigner(message: string, signature: string): Promise<string | undefined> {
  if (!signaturePattern.test(signature)) return undefined;
  const bytes = Buffer.from(signature.slice(2), "hex");
  const recovery = recoveryIds.get(bytes[64] ?? -1);
  if (recovery === undefined) return undefined;
  // Loaded here, because most processes never need it: it takes 55 ms and 2 MB.
  const { secp256k1 } = await import("@noble/curves/secp256k1.js");
  try {
    const signed = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), "compact");
    // EIP-2: of the two signatures with the same meaning, only the lower one is valid.
    if (signed.hasHighS()) return undefined;
    const key = signed.addRecoveryBit(recovery).recoverPublicKey(hashMessage(message)).toBytes(false);
    // The first byte says that the key isn't compressed.
    return readAddress(
      `0x${Buffer.from(keccak_256(key.subarray(1)))
        .subarray(-20)
        .toString("hex")}`,
    );
  } catch {
    // r or s is out of range, or r belongs to no point of the curve.
    return undefined;
  }
}

/** Some wallets return 27 and 28, others 0 and 1. */
const recoveryIds = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

function hashMessage(message: string): Uint8Array {
  const bytes = Buffer.from(message);
  return keccak_256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]));
}
