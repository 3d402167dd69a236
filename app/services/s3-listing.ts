export type Listing = {
  files: { path: string; writtenAt: number }[];
  /** What to ask for the next page with; undefined: this was the last. */
  next: string | undefined;
};

/** An answer to ListObjectsV2. Throws when it is none, so that no half of a list passes for the whole. */
export function readListing(xml: string): Listing {
  if (!/<ListBucketResult[\s>]/.test(xml)) throw new Error("What S3 answered is no list of files.");
  const files = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, entry = ""]) => {
    const writtenAt = Date.parse(textOf(entry, "LastModified"));
    if (Number.isNaN(writtenAt)) throw new Error("S3 lists a file without the time that it was written.");
    return { path: textOf(entry, "Key"), writtenAt };
  });
  const isCut = textOf(xml, "IsTruncated") === "true";
  const next = textOf(xml, "NextContinuationToken");
  if (isCut && !next) throw new Error("S3 has more files to list and does not say how to ask for them.");
  return { files, next: isCut ? next : undefined };
}

/** "NoSuchKey", of an error's answer; "" when it holds none. */
export function errorCode(xml: string): string {
  return /<Code>(\w+)<\/Code>/.exec(xml)?.[1] ?? "";
}

function textOf(xml: string, element: string): string {
  return withoutEntities(new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? "");
}

/** XML 1.0 §4.6 and character references, each read once: "&amp;lt;" is "&lt;". */
function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|amp|lt|gt|quot|apos);/gi, (all, decimal?: string, hex?: string) => {
    if (!decimal && !hex) return NAMED.get(all) ?? all;
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}

const NAMED = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
]);
