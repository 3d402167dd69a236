/**
 * The passwords that attackers try first, from lists of leaked ones, in lower case. Loaded when the first password is chosen: they take
 * 6 MB.
 */
export async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return (commonPasswords ??= new Set(dictionary["passwords-common"]));
}

let commonPasswords: ReadonlySet<string> | undefined;

/** Whether a password is a common one, in upper or lower case. */
export function isCommonPassword(password: string, common: ReadonlySet<string>): boolean {
  return common.has(password.normalize("NFKC").toLowerCase());
}
