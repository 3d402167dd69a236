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
        Each profile and card has its code as <code>qr.svg</code> and <code>qr.png</code>: dark on white, with the quiet
        zone that scanners need, made on this server. It holds the public address with the mark <code>?q</code>.
      </p>
      <DefinitionList
        rows={[
          ["size", `Width and height in pixels, ${smallest} to ${formatNumber(largest)}; ${usual} if left out.`],
          [
            "color",
            `Of the dark modules: six hexadecimal digits, 000000 if left out. At least ${leastContrast}:1 against white, else 400.`,
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
      What stands in the middle:{" "}
      {logos.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ", "}
          <code>{name}</code>
        </Fragment>
      ))}
      ; the first if left out. <code>avatar</code> is the owner's photo; where there is none the code has no logo.
    </>
  );
}

export function PreviewImages({ facts }: SectionProps) {
  const { width, height } = facts.preview;
  return (
    <>
      <h2 id="previews">Pictures for chats and mails</h2>
      <DefinitionList
        rows={[
          ["…/preview.png", `${width} × ${height} pixels: what a chat shows of a profile's or a card's address.`],
          ["…/signature.png", "A small code for an e-mail signature. Its address never changes."],
        ]}
      />
      <ExampleRequest name="preview" facts={facts} />
      <p>
        The page names its picture in <code>og:image</code> with a <code>?v=</code> that changes with what is shown.
        With it a picture may be kept for an hour, without it a cache asks each time.
      </p>
    </>
  );
}

export function AvatarImages({ facts }: SectionProps) {
  const { parts, longestSeed, longestList, usualPng, largestPng } = facts.face;
  return (
    <>
      <h2 id="faces">Drawn faces</h2>
      <p>
        <code>/avatar/{"{seed}"}.svg</code> draws a face from any text of at most {longestSeed} signs: the same text is
        the same face, always. <code>.json</code> has the drawing and what the seed chose (<code>svg</code>,{" "}
        <code>extra</code>), <code>.png</code> its pixels ({usualPng} wide, or <code>size</code> up to{" "}
        {formatNumber(largestPng)}). The drawings are by Draftbit, <a href="/credits">CC BY 4.0</a>.
      </p>
      <ExampleRequest name="faceSvg" facts={facts} />
      <ExampleRequest name="faceJson" facts={facts} />
      <ExampleRequest name="facePng" facts={facts} />
      <h3 id="face-parts">Parts</h3>
      <p>
        A list, with commas between, of what the seed may choose from; all if left out, and <code>nose=</code> is a face
        without one. At most {longestList} entries.
      </p>
      <DefinitionList rows={Object.entries(parts).map(([name, values]) => [name, values.join(", ")] as const)} />
      <h3 id="face-looks">Looks</h3>
      <DefinitionList rows={avatarOptions(facts)} />
      <p>
        An option that there is not, or a value out of its bounds, is a 400 with one line for each mistake: whoever
        wrote it meant something by it.
      </p>
      <ExampleRequest name="faceRefused" facts={facts} />
    </>
  );
}

function avatarOptions({ face: { bounds, backgroundTypes, largestPng } }: DocsFacts) {
  const range = (name: string) => `${bounds[name]?.min} to ${bounds[name]?.max}`;
  return [
    ["backgroundColor", "A list of colours, six hexadecimal digits each, or transparent; none if left out."],
    ["backgroundType", `A list of: ${backgroundTypes.join(", ")}; ${backgroundTypes[0]} if left out.`],
    ["backgroundRotation", `A list of degrees, ${range("backgroundRotation")}.`],
    ["hairColor, clothingColor, skinColor", "Lists of colours; the style's own if left out."],
    ["facialHairProbability", `${range("facialHairProbability")} percent; 10 if left out.`],
    ["flip, clip, randomizeIds", "true or false. With randomizeIds no two drawings have the same ids."],
    ["rotate", `${range("rotate")} degrees.`],
    ["scale", `${range("scale")} percent; 100 if left out.`],
    ["radius", `Of the corners, ${range("radius")} percent.`],
    ["translateX, translateY", `${range("translateX")} percent.`],
    ["size", `Pixels, at least 1; for a PNG at most ${formatNumber(largestPng)}.`],
  ] as const;
}
