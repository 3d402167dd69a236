import { foldText } from "#app/services/base/fold-text.ts";

/**
 * The typed handle in lowercase, or why it is invalid: `checkHandle("Ada")` -> `{ handle: "ada" }`. Only the database knows whether it is
 * taken.
 */
export function checkHandle(text: string): { handle: string } | { problem: string } {
  const typed = text.trim();
  if (typed === "") return { problem: "Choose a handle." };
  // Checked before lowercasing, because the Kelvin sign (U+212A) becomes an ordinary k.
  if (!/^[a-zA-Z0-9-]+$/.test(typed)) return { problem: "Use only letters a to z, digits and hyphens." };
  const handle = typed.toLowerCase();
  if (handle.length < minLength) return { problem: `Use at least ${minLength} characters.` };
  if (handle.length > maxLength) return { problem: `Use at most ${maxLength} characters.` };
  if (/^-|-$/.test(handle)) return { problem: "Start and end with a letter or a digit." };
  if (handle.includes("--")) return { problem: "Don’t use two hyphens in a row." };
  if (isReserved(handle)) return { problem: handleReserved };
  return { handle };
}

export const handleReserved = "This handle is reserved. Choose another.";

/** Per owner, including former ones: these redirect forever, so no other user can take them. */
export const maxHandles = 10;

/** While typing: the check waits until typing pauses. */
export const handleCheckLimit = { name: "handle checks of an account", max: 120, windowMs: 10 * 60_000 } as const;

const minLength = 3;
const maxLength = 30;

function isReserved(handle: string): boolean {
  return reserved.has(handle) || handle.includes("meishi") || looksLikeId.test(handle);
}

/** The first two groups of a UUID. `/u/` accepts ids and handles, so no handle may look like an id. */
const looksLikeId = /^[0-9a-f]{8}-[0-9a-f]{4}(?:-|$)/;

const reserved = new Set(
  [
    // paths of the product, current and likely ones
    "about account admin analytics api app apps assets auth avatar banner billing blog bench callback cancel card cards checkout",
    "contact contact-file count dashboard demo demo-card demo-user dev dist docs download edit email explore export faq favicon",
    "features file files forgot-password guide handle health healthz help home image images import index jobs join keep lead leads legal",
    "link links log-in login logout mail mailbox manifest media metrics new oauth pass passes passkit payments plans preview",
    "pricing privacy profile profiles public qr readyz register reset-password robots search security security-overview session sessions",
    "settings setup share shop sign-in sign-up signin signout signup sitemap start static stats status store stripe subscribe success",
    "support team terms theme themes upload uploads user users verify wallet webhook webhooks well-known www",
    // names that could impersonate us or an administrator
    "abuse administrator billing-team compliance customer-service hostmaster info mailer-daemon moderator no-reply noreply official",
    "owner postmaster press root sales security-team staff support-team sysadmin system trust verified webmaster",
    // plans and roles
    "free premium pro business enterprise guest visitor anonymous everyone nobody you yourself",
    // empty values in programs
    "null undefined nan none true false void default test example localhost",
  ].flatMap((words) => words.split(" ")),
);

/** A handle made of a name, or "" for one that gives none: "Zoë O'Neill-Ståhl" -> "zoe-o-neill-stahl". It may be taken. */
export function handleFromName(name: string): string {
  const letters = foldText(name.slice(0, 200)).replace(/['.]/g, "");
  const words = letters.match(/[\p{L}\p{N}]+/gu) ?? [];
  // Letters of other scripts have no plain form.
  if (words.some((word) => !/^[a-z0-9]+$/.test(word))) return "";
  const checked = checkHandle(cutAtWord(words.join("-")));
  return "handle" in checked ? checked.handle : "";
}

/** The handle itself, and others to try when it is taken: "ada", "ada-2" to "ada-9". */
export function similarHandles(handle: string): string[] {
  return [handle, ...Array.from({ length: 8 }, (_, index) => `${handle.slice(0, maxLength - 2)}-${index + 2}`)];
}

/** At most `maxLength` characters, without half a word where a whole one fits. */
function cutAtWord(handle: string): string {
  if (handle.length <= maxLength) return handle;
  const cut = handle.slice(0, maxLength + 1);
  return cut.includes("-") ? cut.slice(0, cut.lastIndexOf("-")) : cut.slice(0, maxLength);
}
