import { useState } from "react";

import { backgrounds, countSigns, defaultOptions, maxSeed } from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

/** What is set up in the studio, and the words for what changed last. */
export type Studio = {
  options: AvatarOptions;
  /** For a screen reader, that does not see the face change. */
  said: string;
  change: (part: Partial<AvatarOptions>, said: string) => void;
  setSeed: (seed: string) => void;
  shuffle: () => void;
  reset: () => void;
};

/** A face that a name begins with. A background is there from the start: it is what an avatar stands out by. */
export function startOptions(name: string): AvatarOptions {
  return { ...defaultOptions([...name].slice(0, maxSeed).join("")), backgroundColor: [...backgrounds] };
}

export function useStudio(start: AvatarOptions, name: string): Studio {
  const [{ options, said }, setState] = useState({ options: start, said: "" });
  const change = (part: Partial<AvatarOptions>, said: string) =>
    setState(({ options }) => ({ options: { ...options, ...part }, said }));
  return {
    options,
    said,
    change,
    setSeed: (seed) => change({ seed }, ""),
    shuffle: () => {
      const seed = newSeed();
      change({ seed }, `New face: ${seed}`);
    },
    reset: () => setState({ options: startOptions(name), said: "Everything is as it was at first" }),
  };
}

export function isSeedTooLong(seed: string): boolean {
  return countSigns(seed) > maxSeed;
}

/** "mika-tonoru": one can say it, note it down, and get the same face again. Twelve million of them. */
function newSeed(): string {
  const syllables = crypto.getRandomValues(new Uint8Array(5));
  const [a, b, c, d, e] = [...syllables].map((value) => {
    return `${consonants[value % consonants.length]}${vowels[Math.floor(value / consonants.length) % vowels.length]}`;
  });
  return `${a}${b}-${c}${d}${e}`;
}

const consonants = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "y", "z"];
const vowels = ["a", "e", "i", "o", "u"];
