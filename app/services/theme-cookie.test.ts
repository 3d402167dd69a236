import { expect, test } from "vitest";

import { readTheme, themeCookie, themes } from "./theme-cookie.ts";

test("a choice is found again among other cookies", () => {
  for (const theme of themes) {
    const pair = themeCookie(theme).split(";")[0] ?? "";
    expect(readTheme(pair)).toBe(theme);
    expect(readTheme(`meishi.session_token=abc; ${pair}; other=1`)).toBe(theme);
  }
});

test("whoever chose nothing, or nothing that there is, gets the dark", () => {
  for (const header of [undefined, "", "theme=", "theme=blue", "mytheme=light", "theme=light<script>", "theme=LIGHT"])
    expect(readTheme(header)).toBe("dark");
});
