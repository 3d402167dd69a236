import type { PreviewTheme } from "./preview.ts";

/** The colour of the light behind the first screen; slate leaves it warm and cool. */
export const tints: Record<PreviewTheme, string> = {
  slate: "",
  indigo: "bg-[#5b54e8]",
  emerald: "bg-[light-dark(#8fd9bb,#0e7a56)]",
};
