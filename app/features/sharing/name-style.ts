import { countGraphemes } from "#app/ui/components/characters.ts";

/**
 * The attributes of a name's element, by which the stylesheet of public pages sets its size: a long name is smaller everywhere, to take two
 * lines instead of four; a medium one where the page is narrow, to take one line instead of a line for each word.
 */
export function nameSize(name: string): { "data-long"?: true; "data-medium"?: true } {
  const characters = countGraphemes(name);
  if (characters > 22) return { "data-long": true };
  return characters > 14 ? { "data-medium": true } : {};
}
