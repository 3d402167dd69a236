import { z } from "zod";

import type { Crop } from "./rules.ts";

const fraction = z.coerce.number().min(0).max(1);
const cropForm = z.object({ x: fraction, y: fraction, size: fraction.gt(0) });

/** What the address of an upload says: "?name=me.jpg&x=0.1&y=0&size=0.8". "unreadable": part of a square, or none that can be. */
export function readUploadQuery(query: URLSearchParams): { filename: string; crop: Crop | undefined } | "unreadable" {
  const filename = (query.get("name") ?? "").slice(0, 1_000);
  const given = ["x", "y", "size"].filter((name) => query.has(name));
  if (given.length === 0) return { filename, crop: undefined };
  // An empty text is no number, though JavaScript takes it for 0.
  if (given.some((name) => query.get(name)?.trim() === "")) return "unreadable";
  const crop = cropForm.safeParse(Object.fromEntries(query));
  return crop.success ? { filename, crop: crop.data } : "unreadable";
}
