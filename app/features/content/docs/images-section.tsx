import { Fragment } from "react";

import { formatNumber } from "#app/services/base/format.ts";

import { DefinitionList, ExampleRequest } from "./docs-elements.tsx";
import type { DocsFacts } from "./docs-facts.ts";

type SectionProps = { facts: DocsFacts };

export function QrCodes({ facts }: SectionProps) {
  const { smallest, largest, usual, logos, leastContrast } = facts.qr;
  return (
    <>
      <h2 id="codes">QR codes</h2>
      <p>
        Each profile and card has a QR code as <code>qr.svg</code> and <code>qr.png</code>: dark on white, with the
        quiet zone that scanners need, generated on this server. It contains the public URL with <code>?q</code>.
      </p>
      <DefinitionList
        rows={[
          ["size", `Width and height in pixels, ${smallest} to ${formatNumber(largest)}; ${usual} by default.`],
          [
            "color",
            `Color of the dark modules: six hexadecimal digits, 000000 by default. Contrast with white must be at least ${leastContrast}:1; otherwise, the response is a 400.`,
          ],
          ["logo", <Logos key="logo" logos={logos} />],
        ]}
      />
      <ExampleRequest name="qrSvg" facts={facts} />
      <ExampleRequest name="qrPng" facts={facts} />
      <ExampleRequest name="qrRefused" facts={facts} />
    </>
  );
}

function Logos({ logos }: Pick<DocsFacts["qr"], "logos">) {
  return (
    <>
      The image in the middle:{" "}
      {logos.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ", "}
          <code>{name}</code>
        </Fragment>
      ))}
      ; the first is the default. <code>avatar</code> shows the owner’s avatar; without one, the code has no logo.
    </>
  );
}

export function PreviewImages({ facts }: SectionProps) {
  const { width, height } = facts.preview;
  return (
    <>
      <h2 id="previews">Images for chats and email</h2>
      <DefinitionList
        rows={[
          ["…/preview.png", `${width} × ${height} pixels: the link preview of a profile or card in chats.`],
          ["…/signature.png", "A small QR code for an email signature. Its URL never changes."],
        ]}
      />
      <ExampleRequest name="preview" facts={facts} />
      <p>
        The page references its image in <code>og:image</code> with a <code>?v=</code> that changes with the content.
        With it, an image can be cached for an hour; without it, caches must revalidate each time.
      </p>
    </>
  );
}

export function AvatarImages({ facts }: SectionProps) {
  const { parts, longestSeed, longestList, usualPng, largestPng } = facts.avatar;
  return (
    <>
      <h2 id="faces">Generated avatars</h2>
      <p>
        <code>/avatar/{"{seed}"}.svg</code> draws a face from any text of up to {longestSeed} characters. The same text
        always gives the same avatar. <code>.json</code> returns the SVG and the parts that were chosen (
        <code>svg</code>, <code>extra</code>), <code>.txt</code> returns the SVG as a data URL, and <code>.png</code>{" "}
        returns an image {usualPng} pixels wide by default (<code>size</code>: up to {formatNumber(largestPng)}). The
        artwork is by Draftbit, <a href="/credits">CC BY 4.0</a>.
      </p>
      <ExampleRequest name="avatarSvg" facts={facts} />
      <ExampleRequest name="avatarJson" facts={facts} />
      <ExampleRequest name="avatarPng" facts={facts} />
      <h3 id="face-parts">Parts</h3>
      <p>
        Each is a comma-separated list of at most {longestList} parts to choose from. All parts are used by default.
        Unknown names are ignored, and an empty list such as <code>nose=</code> leaves the part out.
      </p>
      <DefinitionList rows={Object.entries(parts).map(([name, values]) => [name, values.join(", ")] as const)} />
      <h3 id="face-looks">Appearance</h3>
      <DefinitionList rows={avatarOptions(facts)} />
      <p>
        A number out of range or a malformed color returns a 400, with one line per error. Unknown options are ignored.
      </p>
      <ExampleRequest name="avatarRefused" facts={facts} />
    </>
  );
}

function avatarOptions({ avatar: { bounds, backgroundTypes, largestPng } }: DocsFacts) {
  const range = (name: string) => `${bounds[name]?.min} to ${bounds[name]?.max}`;
  return [
    ["backgroundColor", "A list of colors, six hexadecimal digits each, or transparent. None by default."],
    [
      "backgroundType",
      `${backgroundTypes.join(", ")} or both, separated by a comma. ${backgroundTypes[0]} by default.`,
    ],
    ["backgroundRotation", `A list of degrees, ${range("backgroundRotation")}.`],
    ["hairColor, clothingColor, skinColor", "Lists of colors. The style’s own colors by default."],
    ["facialHairProbability", `${range("facialHairProbability")} percent. 10 by default.`],
    [
      "flip, clip, randomizeIds",
      "true or false. With randomizeIds, each SVG gets unique element IDs, so one page can contain several.",
    ],
    ["rotate", `${range("rotate")} degrees.`],
    ["scale", `${range("scale")} percent. 100 by default.`],
    ["radius", `Corner radius, ${range("radius")} percent.`],
    ["translateX, translateY", `${range("translateX")} percent.`],
    ["size", `Width and height in pixels: at least 1, and at most ${formatNumber(largestPng)} for a PNG.`],
  ] as const;
}
