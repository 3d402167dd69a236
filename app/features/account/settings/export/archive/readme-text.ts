import { formatDate } from "#app/services/base/format.ts";

type Readme = {
  host: string;
  time: number;
  explanations: readonly { name: string; text: string }[];
  /** Names of files that couldn't be found. */
  missing: readonly string[];
};

/** The README.txt of an export. Lines end as Windows' Notepad expects. */
export function readmeText({ host, time, explanations, missing }: Readme): string {
  const lines = [
    `Your data from ${host}, as of ${formatDate(time)}`,
    "",
    "data.json",
    ...indent(
      "Everything that is stored about your account, as text: the account, your profile, links and cards, statistics, sessions and security events. Times are in UTC. Passwords, keys and sign-in links are not included.",
    ),
    ...explanations.flatMap(({ name, text }) => ["", name, ...indent(text)]),
    "",
    "Keep this file private: it contains your contact details and where you signed in.",
    ...(missing.length > 0 ? ["", "These files couldn't be found and are missing here:", ...missing] : []),
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

/** Breaks text into indented lines of at most 76 characters. */
function indent(text: string): string[] {
  return text.match(/\S.{0,71}(?=\s|$)/g)?.map((line) => `    ${line}`) ?? [];
}
