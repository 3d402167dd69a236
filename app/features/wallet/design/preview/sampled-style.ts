import { useEffect, useState } from "react";

import type { HexColor } from "#app/services/base/color-contrast.ts";

/** The colors of a few parts of an image of this site, as blurred as a wallet shows it; undefined until it has loaded. */
export function useSampledColors(url: string | undefined): readonly HexColor[] | undefined {
  const [sampled, setSampled] = useState<{ url: string; colors: HexColor[] }>();
  // Only the browser can decode an upload.
  useEffect(() => {
    if (url === undefined) return undefined;
    const image = new Image();
    const read = () => setSampled({ url, colors: sampleColors(image) });
    image.addEventListener("load", read);
    image.src = url;
    return () => image.removeEventListener("load", read);
  }, [url]);
  return sampled?.url === url ? sampled?.colors : undefined;
}

function sampleColors(image: HTMLImageElement): HexColor[] {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [9, 11];
  const context = canvas.getContext("2d");
  if (!context) return [];
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({ length: data.length / 4 }, (_, index): HexColor => {
    const parts = [0, 1, 2].map((channel) => (data[index * 4 + channel] ?? 0).toString(16).padStart(2, "0"));
    return `#${parts.join("")}`;
  });
}
