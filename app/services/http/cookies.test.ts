import { expect, test } from "vitest";

import { readTheme, themeCookie, themes } from "./cookies.ts";

test("reads the theme among other cookies", () => {
  for (const theme of themes)
    for (const isSecure of [false, true]) {
      const pair = themeCookie(theme, isSecure).split(";")[0] ?? "";
      expect(readTheme(pair)).toBe(theme);
      expect(readTheme(`meishi.session_token=abc; ${pair}; other=1`)).toBe(theme);
    }
});

test("prefers the cookie that only this host can have set", () => {
  expect(themeCookie("light", true)).toMatch(/^__Host-theme=light; Path=\/; Max-Age=\d+; SameSite=Lax; Secure$/);
  expect(readTheme("theme=dark; __Host-theme=light")).toBe("light");
  expect(readTheme("__Host-theme=light; theme=dark")).toBe("light");
});

test("falls back to dark when there is no theme or an unknown one", () => {
  for (const header of [undefined, "", "theme=", "theme=blue", "mytheme=light", "theme=light<script>", "theme=LIGHT"])
    expect(readTheme(header)).toBe("dark");
});
