/** The red seal that signs every Meishi: a rounded square with an M drawn as one stroke. */
export function Seal({ size = 17 }: { size?: number }) {
  return (
    <svg className="seal" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="5.5" fill={red} />
      <path d={letter} fill="none" stroke={paper} strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** Where a visitor finds out what this page was made with; shown on the pages of the Free plan. */
export function MadeWithMeishi({ isSample = false }: { isSample?: boolean }) {
  return (
    <footer className="made">
      <a href="/">
        <Seal /> {isSample ? "A sample, made with Meishi" : "Made with Meishi"}
      </a>
    </footer>
  );
}

const red = "#e0412b";
const paper = "#fbf9f4";
const letter = "M6.5 17V8l5.5 5.5L17.5 8v9";

/** The seal as the value of `<link rel="icon">`: in the page itself, so that no request is made for it. */
export const sealIcon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5.5" fill="${red}"/><path d="${letter}" fill="none" stroke="${paper}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
).replaceAll(/%(20|2F|3A|3D|22)/g, (code) => (code === "%22" ? "'" : decodeURIComponent(code)))}`;
