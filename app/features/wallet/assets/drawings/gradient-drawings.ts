import { glow, ground } from "./svg-drawing.ts";

export const gradientDrawings: Record<string, () => string> = {
  dawn: () =>
    ground(["#f3ddd0", "#f8ebdc", "#fbf3e6"], 12) +
    glow("sun", { x: 400, y: 120, radius: 420, color: "#e9bfb0", opacity: 0.7 }),
  dusk: () =>
    ground(["#4d3f66", "#2f3057", "#171a33"], -14) +
    glow("last", { x: 120, y: 90, radius: 420, color: "#6a5278", opacity: 0.6 }),
  tide: () =>
    ground(["#276069", "#16404f", "#0d2230"], 10) +
    glow("foam", { x: 460, y: 60, radius: 380, color: "#357680", opacity: 0.6 }),
  moss: () =>
    ground(["#42603f", "#28432f", "#14241b"], -10) +
    glow("sun", { x: 80, y: 40, radius: 400, color: "#54754f", opacity: 0.6 }),
  plum: () =>
    ground(["#583351", "#371f37", "#1a0f1c"], 8) +
    glow("bloom", { x: 420, y: 110, radius: 360, color: "#70416a", opacity: 0.55 }),
  indigo: () =>
    ground(["#3a4f8e", "#243468", "#121c3d"]) +
    glow("vat", { x: 140, y: 70, radius: 420, color: "#4a62a6", opacity: 0.55 }),
  copper: () =>
    ground(["#774c33", "#4c2f20", "#24150f"], -8) +
    glow("shine", { x: 400, y: 60, radius: 380, color: "#8f5d40", opacity: 0.6 }),
  mist: () =>
    ground(["#d3d9de", "#e8ebec", "#f8f9f8"], 16) +
    glow("light", { x: 140, y: 420, radius: 420, color: "#ffffff", opacity: 0.5 }),
};
