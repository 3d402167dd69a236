import css from "./public-page.css?inline";
import cssUrl from "./public-page.css?url";

/** The inline stylesheet of public pages. Empty in the browser's bundle, because the document already contains it. */
export const publicCss = import.meta.env.SSR ? css : "";

export function PublicPageStyle() {
  return <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: publicCss }} />;
}

/** The same styles for an error page that replaces a page in the browser: that document has other styles, and allows no inline ones. */
export function LinkedPublicPageStyle() {
  return <link rel="stylesheet" href={cssUrl} precedence="default" />;
}
