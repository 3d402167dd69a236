import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { readElements } from "#tests/support/app/responses.ts";

import { Portrait } from "./portrait.tsx";

const files = { small: "/s.webp", large: "/l.webp", jpeg: "/j.jpg" };
const show = (image: typeof files | undefined) =>
  readElements(renderToStaticMarkup(<Portrait name="Ada Lovelace" image={image} width={64} />));

test("a portrait shows WebP in two sizes, JPEG in other browsers, and the initials when there is no image or it fails", () => {
  const withImage = show(files);
  for (const elements of [show(undefined), withImage])
    expect(elements.find(({ tag }) => tag === "span")).toMatchObject({
      text: "AL",
      attributes: { "aria-hidden": "true" },
    });
  const { attributes } = withImage.find(({ tag }) => tag === "source") ?? {};
  expect(attributes).toEqual({ type: "image/webp", srcset: "/s.webp 192w, /l.webp 384w", sizes: "64px" });
  expect(withImage.find(({ tag }) => tag === "img")?.attributes).toMatchObject({ src: "/j.jpg", width: "64", alt: "" });
  expect(show(undefined).map(({ tag }) => tag)).not.toContain("img");
});
