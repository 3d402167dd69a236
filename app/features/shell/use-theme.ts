import { useEffect, useState } from "react";
import { useRouteLoaderData } from "react-router";

import { readTheme, themeCookie } from "#app/services/theme-cookie.ts";
import type { Theme } from "#app/services/theme-cookie.ts";

/** How the site looks, and a function that changes it at once: here, and by the cookie on every page that comes. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const root = useRouteLoaderData<{ theme: Theme }>("root");
  const [theme, setTheme] = useState(root?.theme ?? "dark");

  // The browser brings old pages back, and other tabs stay open: what they show may be older than the choice.
  useEffect(() => {
    const catchUp = () => {
      const kept = readTheme(document.cookie);
      setTheme(kept);
      if (document.documentElement.dataset["mode"] !== kept) wear(kept);
    };
    catchUp();
    // The colours follow the device by themselves; the phone's frame does not.
    const device = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => wear(readTheme(document.cookie));
    device.addEventListener("change", follow);
    window.addEventListener("pageshow", catchUp);
    document.addEventListener("visibilitychange", catchUp);
    return () => {
      device.removeEventListener("change", follow);
      window.removeEventListener("pageshow", catchUp);
      document.removeEventListener("visibilitychange", catchUp);
    };
  }, []);

  return [
    theme,
    (chosen) => {
      document.cookie = themeCookie(chosen);
      setTheme(chosen);
      wear(chosen);
    },
  ];
}

/** The colours follow `data-mode` (ui/theme.css); the frame that a phone draws around the page follows its ground. */
function wear(theme: Theme) {
  const root = document.documentElement;
  root.dataset["mode"] = theme;
  const { backgroundColor } = getComputedStyle(document.body);
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content = backgroundColor;
}
