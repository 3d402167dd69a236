/** The card of the live demo as somebody has dressed it. Nothing of it is checked, stored or sent. */
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

/** What the demo shows first. Where the sample profile is switched off its address would lead nowhere: then it is this page's. */
export function firstDemoCard(hasSample: boolean): DemoCard {
  return {
    name: "Demo User",
    title: "Product designer",
    company: "Example Studio",
    accent: "indigo",
    mode: "light",
    payload: hasSample ? "/u/demo-user" : "/",
  };
}

/** What stands in the fields. */
export function readDemoCard(form: FormData): DemoCard {
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
 * What the code holds: "/u/ada" -> "https://meishi.example/u/ada", because a phone that scans it does not know which site a path
 * belongs to. Anything else goes in as typed, without the spaces around it; "" is no code.
 */
export function codeText(payload: string, baseUrl: string): string {
  const text = payload.trim();
  const isPath = text.startsWith("/") && !text.startsWith("//");
  // Put behind the address first: by itself "/\\elsewhere.example" would name another site (WHATWG URL, "relative slash state").
  return isPath ? new URL(baseUrl + text).href : text;
}
