/** How the site looks: `system` follows the reader's device. */
export type Theme = "dark" | "light" | "system";

export const themes: readonly Theme[] = ["dark", "light", "system"];

const COOKIE = "theme";
const YEAR_S = 365 * 24 * 60 * 60;

export function isTheme(value: unknown): value is Theme {
  return themes.some((theme) => theme === value);
}

/** The choice that a Cookie header tells of; dark when it tells of none that we know. */
export function readTheme(cookieHeader: string | undefined): Theme {
  const value = /(?:^|; ?)theme=(\w+)(?:;|$)/.exec(cookieHeader ?? "")?.[1];
  return isTheme(value) ? value : "dark";
}

/** As a Set-Cookie, and as the browser's own script writes it: nothing secret, so both may. */
export function themeCookie(theme: Theme): string {
  return `${COOKIE}=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
}
