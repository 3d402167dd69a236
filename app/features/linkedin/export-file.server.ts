import { withByteSource } from "#app/services/archives/byte-source.server.ts";
import type { ByteSource } from "#app/services/archives/byte-source.server.ts";
import { listZipEntries, readZipEntry } from "#app/services/archives/zip-archive.server.ts";
import type { ZipEntry } from "#app/services/archives/zip-archive.server.ts";
import { parseCsv } from "#app/services/base/csv.ts";
import { paragraph, plainLine } from "#app/services/base/plain-text.ts";

/** What LinkedIn's "copy of your data" says about its owner, as plain text; "" for what it doesn't have. docs/import.md lists the columns. */
export type LinkedInProfile = {
  name: string;
  headline: string;
  /** May have several lines. */
  summary: string;
  /** As typed, often with the city. */
  address: string;
  postcode: string;
  /** "Zürich, Switzerland". */
  location: string;
  /** Of the current position. */
  title: string;
  company: string;
  email: string;
  phone: string;
  /** In lower case: "mobile". */
  phoneType: string;
  /** The company's first. `label` is "" for a site without a name of its own. */
  websites: { label: string; url: string }[];
};

export type LinkedInResult = LinkedInProfile | { problem: string };

/** Whether a file is a ZIP archive, by its first bytes. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/**
 * Reads the ZIP file that LinkedIn sends, or its Profile.csv, whose decoded text is `text`. Undefined for any other file, but a problem for
 * a PDF and any other ZIP archive. Only the files in `fileNames` are unpacked, in memory, and none beyond `maxFileBytes`.
 */
export async function readLinkedInFile(bytes: Uint8Array, text: string): Promise<LinkedInResult | undefined> {
  if (isZip(bytes)) return withByteSource(bytes, readArchive);
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") return { problem: linkedInMessages.pdf };
  return /^"?First Name"?[,;\t]/i.test(text) ? toProfile({ profile: text }) : undefined;
}

/** In lower case and without spaces: LinkedIn writes "Email Addresses.csv", but "PhoneNumbers.csv". */
const fileNames = {
  profile: "profile.csv",
  summary: "profilesummary.csv",
  positions: "positions.csv",
  emails: "emailaddresses.csv",
  phones: "phonenumbers.csv",
};
type Texts = Partial<Record<keyof typeof fileNames, string>>;

const maxFileBytes = 1_000_000;

async function readArchive(source: ByteSource): Promise<LinkedInResult> {
  const entries = await listZipEntries(source);
  if (!entries) return { problem: linkedInMessages.damaged };
  // In any folder, but not in one that would be outside of where the archive is unpacked.
  const path = entries.find(({ name }) => /^(?:(?!\.\.?\/)[^/\\]+\/)*Profile\.csv$/i.test(name))?.name;
  if (path === undefined) return { problem: linkedInMessages.noProfile };
  const folder = path.slice(0, -fileNames.profile.length);
  const texts: Texts = {};
  for (const key of ["profile", "summary", "positions", "emails", "phones"] as const) {
    const entry = entries.find(
      ({ name }) =>
        name.startsWith(folder) && name.slice(folder.length).replaceAll(" ", "").toLowerCase() === fileNames[key],
    );
    const read = entry && (await readText(source, entry));
    if (read && "problem" in read) return read;
    if (read) texts[key] = read.text;
  }
  return toProfile(texts);
}

async function readText(source: ByteSource, entry: ZipEntry): Promise<{ text: string } | { problem: string }> {
  if (entry.isEncrypted) return { problem: linkedInMessages.encrypted };
  const content = await readZipEntry(source, entry, { limit: maxFileBytes, isKept: true });
  if (!content || content.isDamaged) return { problem: linkedInMessages.damaged };
  if (content.length > maxFileBytes) return { problem: linkedInMessages.tooLarge };
  return content.length < entry.size
    ? { problem: linkedInMessages.damaged }
    : { text: new TextDecoder().decode(content.bytes) };
}

function toProfile(texts: Texts): LinkedInResult {
  const { columns, rows } = readTable(texts.profile);
  const [own] = rows;
  if (!["first name", "last name", "headline"].every((name) => columns.includes(name)))
    return { problem: linkedInMessages.columns };
  if (!own) return { problem: linkedInMessages.empty };
  const position = readTable(texts.positions)
    .rows.filter((row) => row("company name", "title") && !row("finished on"))
    .toSorted((one, other) => toTime(other("started on")) - toTime(one("started on")))[0];
  const emails = readTable(texts.emails).rows;
  const phones = readTable(texts.phones).rows;
  const email = emails.find((row) => /^yes$/i.test(row("primary"))) ?? emails[0];
  const phone = phones.find((row) => /^work$/i.test(row("type"))) ?? phones[0];
  return {
    name: plainLine(own("first name", "last name")),
    headline: plainLine(own("headline")),
    summary: paragraph(own("summary") || (readTable(texts.summary).rows[0]?.("profile summary") ?? "")),
    address: plainLine(own("address")),
    postcode: plainLine(own("zip code")),
    location: plainLine(own("geo location")),
    title: plainLine(position?.("title") ?? ""),
    company: plainLine(position?.("company name") ?? ""),
    email: plainLine(email?.("email address") ?? ""),
    phone: plainLine(phone?.("number") ?? ""),
    phoneType: phone?.("type").toLowerCase() ?? "",
    websites: [...readWebsites(own("websites")), ...readTwitterHandles(own("twitter handles"))],
  };
}

/** A cell by the name of its column in lower case, or several cells with a space between them. "" for a column that doesn't exist. */
type Row = (...columns: string[]) => string;

function readTable(text = ""): { columns: string[]; rows: Row[] } {
  const [header = [], ...lines] = parseCsv(text);
  const columns = header.slice(0, maxColumns).map((name) => name.trim().toLowerCase());
  const rows = lines.slice(0, maxRows).map(
    (line): Row =>
      (...names) =>
        names
          // Cleaning takes more than linear time.
          .map((name) => line[columns.indexOf(name)]?.slice(0, maxCellLength).trim() ?? "")
          .filter(Boolean)
          .join(" "),
  );
  return { columns, rows };
}

const maxCellLength = 5_000;
const maxColumns = 100;
/** Far more positions than a career has. */
const maxRows = 1_000;

/** "Jan 2020" or "2020"; 0 for anything else. */
function toTime(date: string): number {
  return Date.parse(date) || 0;
}

/** "[COMPANY:https://engines.example,PORTFOLIO:https://ada.example]", with one pair of brackets or one for each site. */
function readWebsites(cell: string): LinkedInProfile["websites"] {
  const sites = cell.split(/[\s[\]]+|,(?=[[\]]|[A-Z_]+:|https?:|$)/).flatMap((site) => {
    const [, kind = "", url = ""] = /^(?:([A-Z_]+):)?([^,]*\..*)$/.exec(site) ?? [];
    return url ? [{ kind, label: ownNames[kind] ?? "", url }] : [];
  });
  return sites
    .toSorted((one, other) => Number(other.kind === "COMPANY") - Number(one.kind === "COMPANY"))
    .map(({ label, url }) => ({ label, url }));
}

const ownNames: Partial<Record<string, string>> = { PORTFOLIO: "Portfolio", BLOG: "Blog", RSS: "RSS feed" };

/** "[ada]" or "[ada,engines]". */
function readTwitterHandles(cell: string): LinkedInProfile["websites"] {
  return (cell.match(/\w+/g) ?? []).map((handle) => ({ label: "X", url: `https://x.com/${handle}` }));
}

/** Why a file with LinkedIn data can't be imported. */
export const linkedInMessages = {
  pdf: "A PDF can’t be imported. For your LinkedIn profile, request your data at LinkedIn (Settings > Data privacy > Get a copy of your data), and choose the ZIP file.",
  noProfile:
    "This ZIP file has no Profile.csv. Request “Profile” at LinkedIn (Settings > Data privacy > Get a copy of your data), and choose that ZIP file.",
  encrypted: "This ZIP file has a password. Choose the file as you downloaded it from LinkedIn.",
  damaged: "This ZIP file is damaged or incomplete. Download it from LinkedIn again.",
  tooLarge: "A file in this ZIP file is larger than 1 MB. Choose the file as you downloaded it from LinkedIn.",
  columns:
    "The columns of Profile.csv aren’t the ones that LinkedIn has in English. Set your language at LinkedIn to English, and request your data again.",
  empty: "This LinkedIn data has no details that can be imported.",
} as const;
