/** What `/?screen=` can show alone: the whole first screen, its card or its phone. */
const showcaseScreens = ["hero", "card", "phone"] as const;
const showcaseThemes = ["slate", "indigo", "emerald"] as const;

/** The person on the sample card and profile. */
export const sampleName = "Maya Lindqvist";

export type ShowcaseScreen = (typeof showcaseScreens)[number];
export type ShowcaseTheme = (typeof showcaseThemes)[number];
export type Showcase = { screen: ShowcaseScreen; theme: ShowcaseTheme };

/**
 * Reads `?screen=&theme=`; the first of repeated parameters counts. A theme alone shows the whole first screen. Undefined for an
 * unknown screen; an unknown theme is slate. The result never contains text from the query.
 */
export function readShowcase(query: URLSearchParams): Showcase | undefined {
  const named = query.get("screen") ?? (query.has("theme") ? "hero" : undefined);
  const screen = showcaseScreens.find((name) => name === named);
  const theme = showcaseThemes.find((name) => name === query.get("theme"));
  return screen && { screen, theme: theme ?? "slate" };
}

/** The classes of the color laid over the video background; slate has none. */
export const backdropTints: Record<ShowcaseTheme, string> = {
  slate: "",
  indigo: "bg-[#5b54e8]",
  emerald: "bg-[light-dark(#8fd9bb,#0e7a56)]",
};
