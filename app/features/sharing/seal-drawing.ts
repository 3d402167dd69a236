/** The seal of app/ui/seal.tsx for pictures and print: on a square of 24, a rounded square with the M as one stroke. */
export const sealDrawing = {
  side: 24,
  radius: 5.5,
  stroke: 2.5,
  red: "#e0412b",
  paper: "#fbf9f4",
  letter: "M6.5 17V8l5.5 5.5L17.5 8v9",
} as const;
