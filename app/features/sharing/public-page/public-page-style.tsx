import css from "./public-page.css?inline";
import cssUrl from "./public-page.css?url";

/** The inline stylesheet of public pages. Empty in the browser's bundle, because the document already contains it. */
export const publicCss = import.meta.env.SSR ? css : "";

/** A stylesheet without the colors of the themes that a finished document doesn't have: half a kilobyte of each page. */
export function withoutUnusedThemes(css: string, html: string): string {
  return css.replaceAll(themeRule, (rule, selector: string) => {
    const themes = [...selector.matchAll(/\[data-theme="?(\w+)/g)].map(([, theme]) => theme);
    return themes.some((theme) => html.includes(`data-theme="${theme}"`)) ? rule : "";
  });
}

/** `:is([data-theme="ink"], body:has(> [data-theme="ink"])) { … }` in themes.css, as written or minified. */
const themeRule = /(:is\((?::is\([^)]*\))?\[data-theme=[^{}]*)\{[^}]*\}/g;

export function PublicPageStyle() {
  return <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: publicCss }} />;
}

/** The same styles for an error page that replaces a page in the browser: that document has other styles, and allows no inline ones. */
export function LinkedPublicPageStyle() {
  return <link rel="stylesheet" href={cssUrl} precedence="default" />;
}
