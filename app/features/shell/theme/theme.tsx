import { useEffect, useState } from "react";
import { useRouteLoaderData } from "react-router";

import { readTheme, themeCookie } from "#app/services/http/cookies.ts";
import type { Theme } from "#app/services/http/cookies.ts";

import { applyTheme } from "./theme-script.ts";

/** Colors that a browser needs before the stylesheet is loaded: of the empty page, and of a phone's browser bars. */
export function ThemeMeta({ theme }: { theme: Theme }) {
  if (theme !== "system")
    return (
      <>
        <meta name="color-scheme" content={theme} />
        <meta name="theme-color" content={backgroundColors[theme]} suppressHydrationWarning />
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
          content={backgroundColors[mode]}
          suppressHydrationWarning
        />
      ))}
    </>
  );
}

/** `--color-ground` of ui/styles/theme.css; a test compares them. */
export const backgroundColors = { light: "#f7f4ed", dark: "#0e0f12" };

/** The theme, and a function that changes it on this page and, by a cookie, on the next ones. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const root = useRouteLoaderData<{ theme: Theme }>("root");
  const [theme, setTheme] = useState(root?.theme ?? "dark");

  // A page from the back/forward cache, or in another tab, may show an older theme.
  useEffect(() => {
    const readCookie = () => {
      const stored = readTheme(document.cookie);
      setTheme(stored);
      if (document.documentElement.dataset["mode"] !== stored) applyTheme(stored);
    };
    readCookie();
    // The page's colors follow the device on their own; the phone's browser bars don't.
    const device = matchMedia("(prefers-color-scheme: dark)");
    const updateBars = () => applyTheme(readTheme(document.cookie));
    device.addEventListener("change", updateBars);
    window.addEventListener("pageshow", readCookie);
    document.addEventListener("visibilitychange", readCookie);
    return () => {
      device.removeEventListener("change", updateBars);
      window.removeEventListener("pageshow", readCookie);
      document.removeEventListener("visibilitychange", readCookie);
    };
  }, []);

  return [
    theme,
    (chosen) => {
      document.cookie = themeCookie(chosen, location.protocol === "https:");
      setTheme(chosen);
      applyTheme(chosen);
    },
  ];
}
