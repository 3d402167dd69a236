/** A line icon in the color of the surrounding text. Hidden from screen readers: put a text beside it. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return <IconDrawing path={iconPaths[name]} size={size} width={boldIcons.has(name) ? 2.6 : 1.7} />;
}

/** The same for a drawing of one page, which the script of other pages shouldn't contain: a path on a 24 x 24 grid with a margin of 3. */
export function IconDrawing({ path, size, width = 1.7 }: { path: string; size: number; width?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

export type IconName = keyof typeof iconPaths;

const iconRing = "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0";

// Drawn bolder, like the logos they represent.
const boldIcons: ReadonlySet<IconName> = new Set(["more", "linkedin", "facebook"]);

// One path each, on a 24 x 24 grid with a margin of 3.
const iconPaths = {
  "user-plus":
    "M13 7.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0M3 20v-1.5a4 4 0 0 1 4-4h5a4 4 0 0 1 4 4V20M19 8.5v5M21.5 11h-5",
  "user-send":
    "M13 7.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0M3 20v-1.5a4 4 0 0 1 4-4h5a4 4 0 0 1 4 4V20M17.5 11h5M20 8.5l2.5 2.5-2.5 2.5",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5M20 14v.01M20 17.5V20h-.01M14 20h2.5",
  share: "M12 15V3.5M8 7l4-3.5L16 7M7.5 11H5v9.5h14V11h-2.5",
  wallet: "M18 7.5V5H5.5a2 2 0 0 0 0 4H20v10.5H5.5a2 2 0 0 1-2-2V7M16 14.2v.01",
  mail: "M3 5.5h18v13H3zM3.5 6.5l8.5 6.5 8.5-6.5",
  pin: "M12 21c-4-4.2-6.5-7.6-6.5-11a6.5 6.5 0 0 1 13 0c0 3.4-2.5 6.8-6.5 11M14.5 10a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0",
  phone:
    "M8.5 4 5.3 4.8C4.4 5 3.9 5.8 4 6.7A15.5 15.5 0 0 0 17.3 20c.9.1 1.7-.4 1.9-1.3l.8-3.2-4.2-1.8-1.7 2a12 12 0 0 1-5.8-5.8l2-1.7z",
  globe: `${iconRing}M3.3 12h17.4M12 3c4.7 5 4.7 13 0 18M12 3c-4.7 5-4.7 13 0 18`,
  "arrow-up-right": "M7.5 16.5l9-9M9 7.5h7.5V15",
  status: "M3 12h4l3 7.5 4-15 3 7.5h4",
  document: "M6 3h8l4.5 4.5V21H6zM14 3v4.5h4.5M9.5 12.5h5.5M9.5 16.5h5.5",
  home: "M4 11 12 4l8 7v9.5h-5.5V15h-5v5.5H4z",
  card: "M3 5.5h18v13H3zM6.5 10h6M6.5 14h3.5M16 10h1.5v3H16z",
  inbox: "M4 13 6.5 4.5h11L20 13v6.5H4zM4 13h4.5l1.5 3h4l1.5-3H20",
  chart: "M4 20h16M6.5 16.5v-5M12 16.5V5M17.5 16.5v-8",
  user: "M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6",
  menu: "M4 8h16M4 16h16",
  close: "M6 6l12 12M18 6 6 18",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.5 18 12 8 18.5z",
  sun: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1",
  moon: "M20 14.2A8.5 8.5 0 1 1 9.8 4a6.8 6.8 0 0 0 10.2 10.2",
  contrast: `${iconRing}M12 3v18M12 7.5h7.5M12 12h9M12 16.5h7.5`,
  shuffle:
    "M3 7h3.5c5 0 6 10 11 10H21M18 14l3 3-3 3M3 17h3.5c1.6 0 2.8-1 3.8-2.4M13.8 9.4C14.8 8 16 7 17.5 7H21M18 4l3 3-3 3",
  more: "M5.5 12v.01M12 12v.01M18.5 12v.01",
  copy: "M9 9h11v11H9zM5.5 15H4V4h11v1.5",
  download: "M12 4v11M8 11.5l4 3.5 4-3.5M5 20h14",
  message: "M4 5h16v11.5h-9L6.5 20v-3.5H4z",
  github:
    "M9.5 21v-4c-3.5 0-5-2-5-5.5 0-1.6.4-2.7 1.2-3.6-.2-1.1 0-2.3.4-3.4 1.4.1 2.4.7 3.3 1.5a10 10 0 0 1 5.2 0c.9-.8 1.9-1.4 3.3-1.5.4 1.1.6 2.3.4 3.4.8.9 1.2 2 1.2 3.6 0 3.5-1.5 5.5-5 5.5v4M9.3 18.8c-2.8.6-3.3-1.8-4.8-2.3",
  linkedin: "M5.5 10v9M5.5 5.5v.01M11 19v-9M11 14c0-5 7.5-5.5 7.5.2V19",
  x: "M4 4h4.3L20 20h-4.3zM19.5 4l-6.7 7.3M10.7 13.2 4.5 20",
  instagram:
    "M8 3.5h8A4.5 4.5 0 0 1 20.5 8v8a4.5 4.5 0 0 1-4.5 4.5H8A4.5 4.5 0 0 1 3.5 16V8A4.5 4.5 0 0 1 8 3.5M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M17 7v.01",
  twitch: "M5 3.5h15V14l-4 4h-3.5L9.5 21v-3H5zM11 8v4.5M15.5 8v4.5",
  spotify: `${iconRing}M7 9.3c3.5-1 7.2-.7 10.3 1M7.7 12.5c2.9-.8 5.9-.5 8.5.9M8.3 15.5c2.2-.6 4.5-.3 6.5.7`,
  slack: "M9.5 4v9.5M14.5 10.5V20M4 14.5h9.5M10.5 9.5H20",
  facebook: "M16 3.5h-1.5A3.5 3.5 0 0 0 11 7v14M7.5 12H15",
  whatsapp:
    "M3.5 20.5l1.4-4.3a8.5 8.5 0 1 1 3 3zM9 8.5c-.6 3.5 3 7 6.5 6.5l.5-1.7-2.3-.9-1 1c-1-.5-1.7-1.2-2.1-2.1l1-1L10.7 8z",
};

/** A downward arrow for something that opens. `className` positions and rotates it. */
export function Chevron({ size = 16, className = "" }: { size?: 12 | 16; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      strokeWidth={size === 12 ? 1.9 : 1.6}
      className={`shrink-0 fill-none stroke-muted ${className}`}
      aria-hidden="true"
    >
      <path d="M4 6.5l4 4 4-4" />
    </svg>
  );
}
