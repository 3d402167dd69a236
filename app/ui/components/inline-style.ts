import { useEffect } from "react";

/** Applies CSS while the component is shown. As a constructed stylesheet, because the content security policy allows no other inline style. */
export function useInlineStyle(css: string) {
  useEffect(() => {
    if (css === "") return undefined;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [css]);
}
