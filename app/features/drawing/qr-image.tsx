import type { SVGProps } from "react";

import type { QrDrawing } from "./qr-code.ts";

/** A QR code, on whatever is below it: that has to be light, in both themes. Without a `label` assistive technology skips it. */
export function QrImage({ code: { size, d }, label, ...props }: QrImageProps) {
  const accessibility = label === undefined ? ({ "aria-hidden": true } as const) : { role: "img", "aria-label": label };
  return (
    <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" {...accessibility} {...props}>
      <path d={d} fill="none" stroke="#000" />
    </svg>
  );
}

type QrImageProps = { code: QrDrawing; label?: string } & Pick<
  SVGProps<SVGSVGElement>,
  "className" | "width" | "height"
>;
