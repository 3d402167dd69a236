import { avatarForms, bannerForms, logoForms } from "./addresses.ts";

/**
 * What a public file is by its path: "avatars/<user id>/avatar_1790000000000_192.webp" -> "image/webp". Undefined for anything that we
 * would not have stored there for everybody: the path decides, nothing else is ever served as what it calls itself.
 */
export function publicTypeOf(path: string): string | undefined {
  for (const { shape, ends } of PUBLIC) {
    const end = shape.exec(path)?.[1];
    if (end !== undefined && ends.includes(end)) return TYPES.get(end.slice(end.lastIndexOf(".")));
  }
  return undefined;
}

const PUBLIC: { shape: RegExp; ends: string[] }[] = [
  { shape: /^avatars\/[A-Za-z0-9_-]+\/avatar_\d+([_.].+)$/, ends: Object.values(avatarForms) },
  { shape: /^banners\/[A-Za-z0-9_-]+\/banner_\d+([_.].+)$/, ends: Object.values(bannerForms) },
  { shape: /^pass-assets\/[A-Za-z0-9_-]+\/logos\/logo_\d+([_.].+)$/, ends: Object.values(logoForms) },
];

const TYPES = new Map([
  [".webp", "image/webp"],
  [".jpg", "image/jpeg"],
  [".png", "image/png"],
]);
