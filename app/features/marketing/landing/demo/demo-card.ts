import { sampleName } from "#app/features/marketing/landing/hero/showcase.ts";

/** The state of the live demo's card. It is never validated here. */
export type DemoCard = {
  name: string;
  title: string;
  company: string;
  accent: Accent;
  mode: CardMode;
  payload: string;
};

export type Accent = (typeof accents)[number];
export type CardMode = (typeof cardModes)[number];

export const accents = ["indigo", "blue", "violet", "emerald"] as const;
export const cardModes = ["dark", "light"] as const;

/** The initial card, of the sample person. Its code leads to the sample profile (specification, document 1, section 9). */
export function initialDemoCard(): DemoCard {
  return {
    name: sampleName,
    title: "Product designer",
    company: "Northlight Studio",
    accent: "indigo",
    mode: "light",
    payload: "/u/demo-user",
  };
}

/** Reads the card from the form's fields. */
export function readDemoCard(form: Pick<FormData, "get">): DemoCard {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    name: text("name"),
    title: text("title"),
    company: text("company"),
    accent: accents.find((accent) => accent === text("accent")) ?? accents[0],
    mode: cardModes.find((mode) => mode === text("mode")) ?? cardModes[0],
    payload: text("payload"),
  };
}

/**
 * The text that the code encodes. A path becomes a full URL, so that a phone can open it: "/u/ada" ->
 * "https://meishi.example/u/ada". Any other text is only trimmed; "" means no code.
 */
export function qrPayload(payload: string, baseUrl: string): string {
  const text = payload.trim();
  const isPath = text.startsWith("/") && !text.startsWith("//");
  // Appended before parsing, because "/\\elsewhere.example" alone resolves to another site (WHATWG URL, "relative slash state").
  return isPath ? new URL(baseUrl + text).href : text;
}
