import css from "./public.css?inline";

/** The one stylesheet of a visitor's page. The browser never needs the text a second time, so its bundle has none. */
export const publicCss = import.meta.env.SSR ? css : "";

export function PublicStyle() {
  return <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: publicCss }} />;
}
