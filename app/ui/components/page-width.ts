/** The content width of header, page and footer, the same on every page. */
export const pageWidthClass = "mx-auto w-full max-w-[1200px] px-5";
