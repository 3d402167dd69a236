import { qrModules } from "#app/features/sharing/qr-code.ts";

import type { CardMode } from "./demo-card.ts";
import { codePicture } from "./demo-code-picture.ts";

export type DrawnCode =
  /** `isDense`: too fine for most cameras at the size of the demo. */
  { kind: "code"; svg: string; isDense: boolean } | { kind: "too-long"; cause: unknown };

/** The code that holds a text, in the colours of a mode; or why there can be none. */
export function drawCode(text: string, mode: CardMode): DrawnCode {
  // Whole books would keep the page busy for seconds, only to be refused: no code holds more than so many digits.
  if (text.length > MOST_DIGITS) return { kind: "too-long", cause: `${text.length} signs` };
  try {
    const code = qrModules(text);
    return { kind: "code", svg: codePicture(code, mode), isDense: code.size > DENSE };
  } catch (cause) {
    return { kind: "too-long", cause };
  }
}

/** ISO/IEC 18004, table 7: version 40, level M, digits only. */
const MOST_DIGITS = 5596;
/** Version 13: a module is three pixels wide. */
const DENSE = 69;
