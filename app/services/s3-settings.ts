import type { Refusal } from "./config-values.ts";
import { isRefusal } from "./config-values.ts";

/** A bucket and what opens it. The bucket is the first part of the path at `endpoint`, which has no slash at its end. */
export type S3Place = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/**
 * The settings named S3_*, undefined when none is set. What is missing or wrong goes to `problems`, all of it at once, and never with
 * a key in it. `get` gives "" for what is not set.
 */
export function readS3(get: (name: string) => string, problems: string[]): S3Place | undefined {
  const all = [...REQUIRED, "S3_REGION"];
  if (all.every((name) => !get(name))) return undefined;
  const missing = REQUIRED.filter((name) => !get(name));
  if (missing.length > 0) {
    problems.push(`${missing.join(" and ")} must be set too: files are kept in S3 only with all of these settings.`);
  }
  const take = (name: string, parse: (text: string) => string | Refusal) => {
    const value = get(name) && parse(get(name));
    if (!isRefusal(value)) return value;
    problems.push(`${name} ${value.refused}`);
    return "";
  };
  return {
    endpoint: take("S3_ENDPOINT", readEndpoint),
    bucket: take("S3_BUCKET", readBucket),
    region: take("S3_REGION", readRegion) || "us-east-1",
    accessKeyId: take("S3_ACCESS_KEY_ID", readKey),
    secretAccessKey: take("S3_SECRET_ACCESS_KEY", readKey),
  };
}

const REQUIRED = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];

/** Some servers speak S3 below a path of theirs. */
function readEndpoint(text: string): string | Refusal {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    return { refused: "must start with http:// or https:// and name a host." };
  }
  if (url.username || url.password)
    return { refused: "must not hold a user or a password: the keys have settings of their own." };
  if (url.search || url.hash) return { refused: "must end with the host or a path, without ? and #." };
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function readBucket(text: string): string | Refusal {
  if (/^[a-z\d][a-z\d._-]{1,61}[a-z\d]$/i.test(text)) return text;
  return { refused: `is ${JSON.stringify(text.slice(0, 80))}: it must be the name of a bucket, not its address.` };
}

function readRegion(text: string): string | Refusal {
  return /^[a-z\d-]{1,40}$/i.test(text) ? text : { refused: "must be a name such as eu-central-1 or auto." };
}

/** A line break would end a header; a space is a mistake in copying. */
function readKey(text: string): string | Refusal {
  return /^[\x21-\x7e]+$/.test(text)
    ? text
    : { refused: "holds a sign that no key has: a space, perhaps, or a quote." };
}
