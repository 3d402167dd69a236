import type { Theme } from "#app/services/theme-cookie.ts";

/** What a browser asks before the stylesheet is there: the colour of the empty page, and of the frame that a phone draws around it. */
export function ThemeMeta({ theme }: { theme: Theme }) {
  if (theme !== "system")
    return (
      <>
        <meta name="color-scheme" content={theme} />
        <meta name="theme-color" content={grounds[theme]} suppressHydrationWarning />
      </>
    );
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      {(["light", "dark"] as const).map((mode) => (
        <meta
          key={mode}
          name="theme-color"
          media={`(prefers-color-scheme: ${mode})`}
          content={grounds[mode]}
          suppressHydrationWarning
        />
      ))}
    </>
  );
}

/** `--color-ground` of ui/theme.css, which a test compares. */
export const grounds = { light: "#f7f4ed", dark: "#0e0f12" };
