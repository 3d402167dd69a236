/** Where a drawn card has its portrait: in the corner, above centered texts, or over one side. */
export type BusinessCardLayout = "classic" | "centered" | "cover";

export type BusinessCardColors = Record<"text" | "muted" | "line" | "brand" | "avatar" | "avatarText", string> & {
  /** The stops of its gradient. */
  paper: readonly [string, string];
};

/** Light paper without an accent. */
export const plainCardColors: BusinessCardColors = {
  paper: ["#fbf9f4", "#f1ede3"],
  text: "#17181b",
  muted: "#67645c",
  line: "#ddd7c9",
  brand: "#67645c",
  avatar: "#d9d2c3",
  avatarText: "#3d3a33",
};
