import { businessCardSvg } from "#app/features/drawing/business-card-svg.server.ts";
import { svgDocument, sealSvg, textPart } from "#app/features/drawing/svg-parts.server.ts";
import { encodePreview, previewSize } from "./preview-image.server.ts";

/** The link preview of the site itself: its slogan beside a sample card. */
export async function sitePreview(address: string): Promise<Buffer> {
  const seal = sealSvg({ x: pad, y: 64 }, 46);
  const name = await textPart("Meishi", { ...textStyle, face: "name", size: 38 });
  const slogan = await Promise.all(
    ["One tap,", "endless", "connections."].map((text) =>
      textPart(text, { ...textStyle, face: "name", size, tracking: -0.02 }),
    ),
  );
  const where = await textPart(address, { ...textStyle, face: "text", size: 26, smallest: 18, color: mutedColor });
  const last = slogan.at(-1)?.width ?? 0;
  const lines = slogan.map((part, index) => part.at({ x: pad, y: top + index * step }));
  const underline = `<rect x="${pad}" y="${top + 3 * step - 8}" width="${last}" height="8" fill="#e0412b"/>`;
  const card = await businessCardSvg(sample, { x: -280, y: -169, width: 560 });
  return encodePreview(
    svgDocument(
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
const mutedColor = "#a3a7b0";
const textStyle = { width: 620, lines: 1, color: "#f4f1ea", lineHeight: 1.1 } as const;

/** A sample card. */
const sample = {
  name: "Maya Lindqvist",
  company: "Northlight Studio",
  position: "",
  work: "Product designer",
  email: "maya@example.com",
  phone: "+1 555 0100",
  avatar: undefined,
  logo: undefined,
};
