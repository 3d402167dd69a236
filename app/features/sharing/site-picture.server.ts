import { paperSvg } from "./paper-picture.server.ts";
import { pictureSvg, sealSvg, textPart } from "./picture-parts.server.ts";
import { finished, previewSize } from "./preview-picture.server.ts";

/** What a chat shows of the site's own addresses: what it is, and beside it a card. */
export async function sitePreview(address: string): Promise<Buffer> {
  const seal = sealSvg({ x: pad, y: 64 }, 46);
  const name = await textPart("Meishi", { ...line, face: "name", size: 38 });
  const words = await Promise.all(
    ["One tap,", "endless", "connections."].map((text) =>
      textPart(text, { ...line, face: "name", size, tracking: -0.02 }),
    ),
  );
  const where = await textPart(address, { ...line, face: "text", size: 26, smallest: 18, color: muted });
  const last = words.at(-1)?.width ?? 0;
  const lines = words.map((word, index) => word.at({ x: pad, y: top + index * step }));
  const underline = `<rect x="${pad}" y="${top + 3 * step - 8}" width="${last}" height="8" fill="#e0412b"/>`;
  const card = await paperSvg(sample, { x: -280, y: -169, width: 560 });
  return finished(
    pictureSvg(
      { ...previewSize, ground: "#0e0f12" },
      `<radialGradient id="glow" cx=".78" cy=".42" r=".62"><stop stop-color="#e0412b" stop-opacity=".2"/>` +
        `<stop offset="1" stop-color="#e0412b" stop-opacity="0"/></radialGradient>` +
        `<rect width="${previewSize.width}" height="${previewSize.height}" fill="url(#glow)"/>` +
        `<g transform="translate(918 318) rotate(-8)">${card}</g>` +
        seal +
        name.at({ x: pad + 64, y: 87 - name.height / 2 }) +
        lines.join("") +
        underline +
        where.at({ x: pad, y: 562 - where.height / 2 }),
    ),
  );
}

const pad = 72;
const size = 88;
const top = 162;
const step = 102;
const muted = "#a3a7b0";
const line = { width: 620, lines: 1, color: "#f4f1ea", lineHeight: 1.1 } as const;

/** Nobody's. */
const sample = {
  name: "Demo User",
  company: "Example Studio",
  position: "",
  work: "Product designer",
  email: "demo@example.com",
  phone: "+1 555 0100",
  avatar: undefined,
  logo: undefined,
};
