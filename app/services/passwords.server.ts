import { dictionary } from "@zxcvbn-ts/language-common";

/** Whether this is among the passwords that are tried first, from the lists of leaked ones; in capitals or not. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.normalize("NFKC").toLowerCase());
}

const common = new Set(dictionary["passwords-common"]);

/** How many there are in the lists, for the message that refuses one. */
export const commonPasswords = common.size;
