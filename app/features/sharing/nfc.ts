/** What became of a tag: written, given up by its owner, or not written and why, in the owner's words. */
export type NfcResult = { kind: "written" } | { kind: "cancelled" } | { kind: "failed"; problem: NfcProblem };

export type NfcProblem = { title: string; text: string };

/** Only Chrome on Android can write a tag from a page, and only over https (Web NFC, §2). */
export function canWriteTags(): boolean {
  return "NDEFReader" in globalThis;
}

/**
 * Waits for a tag to be held to the phone and writes one address on it, over what is there; `signal` gives it up.
 * The first time the browser asks the owner whether it may.
 */
export async function writeTag(url: string, signal: AbortSignal): Promise<NfcResult> {
  try {
    await new NDEFReader().write({ records: [{ recordType: "url", data: url }] }, { signal, overwrite: true });
    return { kind: "written" };
  } catch (error) {
    // Whatever it says once it was given up: nobody waits for it any more.
    if (signal.aborted) return { kind: "cancelled" };
    return { kind: "failed", problem: problemOf(error instanceof Error ? error.name : "") };
  }
}

/** Whether the owner has said no before: then the browser does not ask again. */
export async function isNfcDenied(): Promise<boolean> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript's list is shorter than the browsers'
    const name = "nfc" as PermissionName;
    return (await navigator.permissions.query({ name })).state === "denied";
  } catch (error) {
    // A browser that does not know this permission asks when it writes.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

export const nfcDenied: NfcProblem = {
  title: "The browser may not use NFC",
  text: "Open the browser's settings for this site, allow NFC devices, then try again.",
};

/** Web NFC, §9 and §13: the names of what `write()` rejects with. */
function problemOf(name: string): NfcProblem {
  return problems[name] ?? { title: "Not written", text: "Something went wrong. Hold the tag still and try again." };
}

const off = { title: "NFC is off", text: "Turn NFC on in the settings of this phone, then try again." };

const problems: Record<string, NfcProblem> = {
  NotAllowedError: nfcDenied,
  NotReadableError: off,
  NotSupportedError: {
    title: "This tag or phone can't be written",
    text: "Check that NFC is on, and use an empty NFC tag that takes NDEF, such as NTAG213.",
  },
  NetworkError: {
    title: "The tag was gone too soon, or is locked",
    text: "Hold it to the upper back of the phone until it says that it is written. A locked tag can't be changed.",
  },
  InvalidStateError: { title: "Not written", text: "This page was in the background. Keep it open and try again." },
};

/** As much of Web NFC as we use; TypeScript's DOM library does not have it. */
declare const NDEFReader: new () => TagWriter;
type TagWriter = {
  write(
    message: { records: { recordType: "url"; data: string }[] },
    options: { signal: AbortSignal; overwrite: boolean },
  ): Promise<void>;
};
