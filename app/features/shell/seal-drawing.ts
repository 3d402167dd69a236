/** The red seal: a rounded square of 24 x 24 with an M drawn as one stroke. */
export const sealDrawing = {
  side: 24,
  radius: 5.5,
  stroke: 2.5,
  red: "#e0412b",
  paper: "#fbf9f4",
  letter: "M6.5 17V8l5.5 5.5L17.5 8v9",
} as const;

const { side, radius, stroke, red, paper, letter } = sealDrawing;

/** The seal as a data URL for `<link rel="icon">`, which saves a request. */
export const sealIcon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><rect width="${side}" height="${side}" rx="${radius}" fill="${red}"/><path d="${letter}" fill="none" stroke="${paper}" stroke-width="${stroke}" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
).replaceAll(/%(20|2F|3A|3D)/g, decodeURIComponent)}`;

/** The icon as a data URL, and what a phone loads when the site is added to its home screen. */
export const iconLinks = [
  { rel: "icon", href: sealIcon },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];
