import css from "./public-page.css?inline";

/** The inline stylesheet of public pages. Empty in the browser's bundle, because the document already contains it. */
export const publicCss = import.meta.env.SSR ? css : "";

export function PublicPageStyle() {
  return <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: publicCss }} />;
}
