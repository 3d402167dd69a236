import { useState } from "react";

import { backgrounds, defaultOptions, friendlyMouths, maxSeedLength } from "#app/features/avatar/rules.ts";
import type { AvatarOptions } from "#app/features/avatar/rules.ts";
import { readUploadResponse } from "#app/features/uploads/upload-client.ts";
import type { UploadResponse } from "#app/features/uploads/upload-client.ts";
import { countCharacters } from "#app/services/base/plain-text.ts";
import { submitInPlace } from "#app/ui/forms/submit-in-place.ts";

/** The options in the studio, and the announcement of the last change. */
export type Studio = {
  options: AvatarOptions;
  /** For screen readers. */
  announcement: string;
  change: (part: Partial<AvatarOptions>, announcement: string) => void;
  setSeed: (seed: string) => void;
  shuffle: () => void;
  reset: () => void;
};

/** The first options for a name: a friendly face, with a background so that it stands out. */
export function startOptions(name: string): AvatarOptions {
  const seed = [...name].slice(0, maxSeedLength).join("");
  return { ...defaultOptions(seed), mouth: [...friendlyMouths], backgroundColor: [...backgrounds] };
}

export function useStudio(start: AvatarOptions, name: string): Studio {
  const [{ options, announcement }, setState] = useState({ options: start, announcement: "" });
  const change = (part: Partial<AvatarOptions>, announcement: string) =>
    setState(({ options }) => ({ options: { ...options, ...part }, announcement }));
  return {
    options,
    announcement,
    change,
    setSeed: (seed) => change({ seed }, ""),
    shuffle: () => {
      const seed = newSeed();
      change({ seed }, `New avatar: ${seed}`);
    },
    reset: () => setState({ options: startOptions(name), announcement: "Reset to the first avatar" }),
  };
}

export function isSeedTooLong(seed: string): boolean {
  return countCharacters(seed) > maxSeedLength;
}

/** "mika-tonoru": pronounceable, so that it can be written down to get the same avatar again. Twelve million combinations. */
function newSeed(): string {
  const syllables = crypto.getRandomValues(new Uint8Array(5));
  const [a, b, c, d, e] = [...syllables].map((value) => {
    return `${consonants[value % consonants.length]}${vowels[Math.floor(value / consonants.length) % vowels.length]}`;
  });
  return `${a}${b}-${c}${d}${e}`;
}

const consonants = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "y", "z"];
const vowels = ["a", "e", "i", "o", "u"];

/** Requests a drawing of these options, which becomes the avatar. Never rejects because of the network. */
export async function saveAvatar(options: AvatarOptions): Promise<UploadResponse> {
  const { status, text } = await submitInPlace(
    "/avatar/save",
    new URLSearchParams({ options: JSON.stringify(options) }),
  );
  return readUploadResponse(status, text);
}

/** The options of the current avatar; undefined if it wasn't generated, or when they can't be loaded. */
export async function fetchLastDrawn(): Promise<AvatarOptions | undefined> {
  try {
    const response = await fetch("/avatar/save", { redirect: "manual" });
    if (!response.ok) return undefined;
    const { options }: { options: AvatarOptions | null } = await response.json();
    return options ?? undefined;
  } catch (error) {
    // No connection, or an answer that was cut off: the studio can do without.
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
