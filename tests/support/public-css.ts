import { readFileSync } from "node:fs";

const folder = new URL("../../app/ui/", import.meta.url);

/** Everything in app/ui/public.css, with the files that it takes in, as the build puts it into a page. */
export const publicCss = readFileSync(new URL("public.css", folder), "utf8").replaceAll(
  /@import "(.+)";/g,
  (_, file: string) => readFileSync(new URL(file, folder), "utf8"),
);
