/**
 * The labels on an Apple pass by language, as in the folders "en.lproj" …: another language is another entry. The keys are in pass.json,
 * and in English, so that programs without translations show them, too.
 */
export const passLabels = {
  en: {
    Work: "Work",
    Email: "Email",
    Phone: "Phone",
    About: "About",
    Card: "Card",
    "Issued by": "Issued by",
    Demo: "Demo",
    "Not verified": "Not verified",
    "This card isn’t available": "This card isn’t available",
    "Name: %@": "Name: %@",
    "Work: %@": "Work: %@",
    "Email: %@": "Email: %@",
    "Phone: %@": "Phone: %@",
  },
} as const satisfies Record<string, Record<string, string>>;

export type PassLabel = keyof (typeof passLabels)["en"];

/** A file "pass.strings": lines such as `"Phone" = "Phone";`. */
export function formatStrings(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, text]) => `${quoted(key)} = ${quoted(text)};\n`)
    .join("");
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
